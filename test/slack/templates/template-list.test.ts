import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  templateDraftDiscardedText,
  templateDraftsMessage,
  tooManyDraftsMessage,
} from '../../../src/slack/templates/template-drafts.ts';
import { EMPTY_TEMPLATE_FORM } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { changed, FULL, LARGEST } from '../../templates/forms.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { NOW } from '../samples.ts';
import { anyDraft, CREATED, draftOf } from './template-samples.ts';

const SENT = { sentAt: NOW - MINUTE };
const REFUSAL = {
  code: 'bad-request',
  serverMessage: 'Validation failed',
  fields: { 'ai.model': 'unknown model' },
};

describe('the list of drafts', () => {
  it('tells of each how far it has come, whence, and how it stands', async () => {
    const drafts = [
      draftOf(),
      draftOf({ form: EMPTY_TEMPLATE_FORM }),
      draftOf({
        form: changed(FULL, { name: 'Bold', hourly: { mode: '' } }),
        from: { template: 12, name: 'Calm', notes: [] },
      }),
      draftOf({ ...SENT, state: 'refused', refusal: REFUSAL }),
      draftOf({ ...SENT, state: 'refused', refusal: REFUSAL, doubtSince: NOW - 9 * MINUTE }),
      draftOf({ ...SENT, state: 'unknown', refusal: { code: 'timeout' } }),
      draftOf({ ...SENT, state: 'sending' }),
    ];
    const messages = [
      templateDraftsMessage(drafts),
      templateDraftsMessage([], templateDraftDiscardedText(draftOf())),
      tooManyDraftsMessage([draftOf()]),
    ];
    for (const message of messages) expectHarmless(message);
    await expect(messages.map(asText).join('\n')).toMatchFileSnapshot('__snapshots__/template-drafts.txt');
  });

  it('offers no end to what is being sent', () => {
    const json = JSON.stringify(templateDraftsMessage([draftOf({ state: 'sending' })]));
    expect(json).not.toContain('template_discard');
    expect(json).not.toContain('template_open');
  });

  it('asks before anything is lost', () => {
    const buttons = (templateDraftsMessage([draftOf()]).blocks ?? []).flatMap((block) =>
      block.type === 'actions' ? block.elements : [],
    );
    const discard = buttons.find(
      (each) => 'action_id' in each && each.action_id === actionIds.templateDiscard,
    );
    expect(discard).toHaveProperty('confirm');
    expect(discard).toMatchSnapshot();
  });

  it('tells that a template outlives its draft', () => {
    const created = draftOf({ state: 'created', template: CREATED });
    expect(templateDraftDiscardedText(created)).toContain('#12');
    expect(templateDraftDiscardedText(created)).toMatchSnapshot();
  });

  it('holds twenty of the longest in one message', () => {
    const longest = draftOf({
      ...SENT,
      form: { ...LARGEST, name: '&'.repeat(255) },
      from: { template: Number.MAX_SAFE_INTEGER, name: '&'.repeat(300), notes: [] },
      state: 'refused',
      refusal: { code: 'bad-request', serverMessage: '&'.repeat(1_000) },
    });
    const all = (draft: TemplateDraft) => Array.from({ length: 20 }, () => draft);
    expectHarmless(tooManyDraftsMessage(all(longest)));
    expectHarmless(tooManyDraftsMessage(all({ ...longest, state: 'unknown' })));
  });

  it('is harmless whatever was filled in', () => {
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 6 }), (drafts) => {
        const [first] = drafts;
        expectHarmless(templateDraftsMessage(drafts, first && templateDraftDiscardedText(first)));
      }),
      { numRuns: 60 },
    );
  });
});
