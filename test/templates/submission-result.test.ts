/** What an answer makes of a draft, above all of the doubt whether its template exists. */
import { expect, test } from 'vitest';
import { DraftId, UserId } from '../../src/ids.ts';
import { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../src/marketplace/wire/proposals.ts';
import { isCreationUncertain, type TemplateDraft } from '../../src/templates/records.ts';
import { applySubmissionResult } from '../../src/templates/submissions.ts';
import { SMALLEST } from './forms.ts';

const SENT: TemplateDraft = {
  user: UserId.parse('U1'),
  id: DraftId.parse('abcdefghijklmnop12345678'),
  form: SMALLEST,
  room: {},
  state: 'sending',
  attempt: 2,
  revision: 4,
  sentAt: 5,
  createdAt: 1,
  updatedAt: 5,
};
const REFUSED = { kind: 'refused', refusal: { code: 'forbidden' } } as const;

test('an answer stands on the draft, with what the marketplace said', () => {
  const refused = applySubmissionResult(SENT, REFUSED, 9);
  expect(refused).toMatchObject({
    state: 'refused',
    refusal: { code: 'forbidden' },
    answeredAt: 9,
    revision: 5,
  });
  const template = ProposalTemplate.parse(parseProposalTemplate({ id: 12, hourly_rate: { rate: 40 } }));
  const created = applySubmissionResult(refused, { kind: 'created', template }, 9);
  expect(created).toMatchObject({ state: 'created', template: { id: 12, hourlyRate: { rate: 40 } } });
  expect(created.refusal).toBeUndefined();
});

test('no answer leaves a doubt that a later refusal doesn’t clear', () => {
  const unknown = applySubmissionResult(SENT, { kind: 'unknown', refusal: { code: 'network' } }, 9);
  expect(unknown).toMatchObject({ state: 'unknown', doubtSince: 5 });
  const next = { ...unknown, state: 'sending', attempt: 3, sentAt: 20 } as const;
  expect(isCreationUncertain(applySubmissionResult(next, REFUSED, 21))).toBe(true);
  expect(isCreationUncertain(applySubmissionResult(SENT, REFUSED, 9))).toBe(false);
});

test('an answer that comes late takes away its own doubt, and no other', () => {
  const late = (doubtSince: number) =>
    applySubmissionResult({ ...SENT, state: 'unknown', doubtSince }, REFUSED, 9);
  expect(late(5).doubtSince).toBeUndefined();
  expect(late(3)).toMatchObject({ state: 'refused', doubtSince: 3 });
});
