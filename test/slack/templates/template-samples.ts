/** A template draft. */
import { DraftId } from '../../../src/ids.ts';
import { TemplateDraft } from '../../../src/templates/records.ts';
import { FULL } from '../../templates/forms.ts';
import { ANA, NOW, TEAM } from '../samples.ts';

export function draftOf(change: object = {}): TemplateDraft {
  return TemplateDraft.parse({
    team: TEAM,
    user: ANA,
    id: DraftId.parse('abcdefghijklmnop12345678'),
    form: { ...FULL, name: 'Calm' },
    room: {},
    state: 'open',
    attempt: 0,
    revision: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  });
}
