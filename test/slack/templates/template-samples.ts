/** Template drafts, plain and hostile. */
import * as fc from 'fast-check';
import { DraftId } from '../../../src/ids.ts';
import type { TemplateForm } from '../../../src/templates/form.ts';
import { TemplateDraft, type TemplateOrigin } from '../../../src/templates/records.ts';
import { FULL } from '../../templates/forms.ts';
import { ANA, NOW, TEAM } from '../samples.ts';

export const DRAFT = DraftId.parse('abcdefghijklmnop12345678');

export function draftOf(change: object = {}): TemplateDraft {
  return TemplateDraft.parse({
    team: TEAM,
    user: ANA,
    id: DRAFT,
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

export function originOf(from: object): TemplateOrigin {
  const { from: origin } = draftOf({ from });
  if (!origin) throw new Error('a draft without an origin');
  return origin;
}

export const CREATED = {
  id: 12,
  name: 'Calm',
  visibility: 'shared_view',
  sender: { name: 'Ana', type: 'agency', organization: 'Studio' },
  hourlyRate: {
    mode: 'smart',
    rate: 40,
    smartRateMin: 30,
    smartRateMax: 60.5,
    smartRatePercent: 80,
    increasePercent: 5,
    increaseFrequency: 'every-6-months',
  },
  fixedPrice: { type: 'by-job-terms', minPrice: 100, clientBudgetPercent: 95 },
};

const nasty = fc.constantFrom(
  '<!channel>',
  '<@U0ANA>',
  '<https://evil.example|https://bank.example>',
  '&lt;!here&gt;',
  '\u202Egnp.exe',
  '\u0000',
  '\u200B\u2800',
  '```',
  '*_~`',
  '\n\n\n',
  '&',
  '😀',
  '>',
  ' ',
);

/** From empty to far beyond every limit. */
export const anyText = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.array(nasty, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.tuple(nasty, fc.integer({ min: 1, max: 12_000 })).map(([part, size]) => part.repeat(size)),
);
const amount = fc.oneof(anyText, fc.constantFrom('40', '$1,500.50', '1e9', '-1', '999999999999999'));

export const anyForm: fc.Arbitrary<TemplateForm> = fc.record({
  name: anyText,
  visibility: fc.constantFrom('shared_view', 'shared_edit', 'shared_admins'),
  sender: fc.record({
    organizationId: fc.oneof(anyText, fc.constant('7')),
    contractorUid: anyText,
    type: fc.constantFrom('agency', 'freelancer', 'unknown'),
  }),
  hourly: fc.record({
    mode: fc.constantFrom('', 'fixed', 'smart'),
    rate: amount,
    smartMin: amount,
    smartMax: amount,
    smartPercent: amount,
    increasePercent: amount,
    increaseFrequency: fc.constantFrom('never', 'every-3-months', 'every-6-months', 'every-12-months'),
  }),
  fixedPrice: fc.record({
    type: fc.constantFrom('by-job-terms', 'by-project'),
    price: amount,
    minPrice: amount,
    clientBudgetPercent: amount,
  }),
  ai: fc.record({
    model: anyText,
    instructions: anyText,
    clientQuestions: anyText,
    additionalContext: anyText,
    templateStructure: fc.boolean(),
  }),
  abTesting: fc.boolean(),
  answers: fc.oneof(
    fc.array(
      fc.record({
        question: anyText,
        answer: anyText,
        matchType: fc.constantFrom('', 'exact', 'contains', 'startsWith'),
      }),
      { maxLength: 4 },
    ),
    fc.tuple(anyText, fc.integer({ min: 40, max: 60 })).map(([text, count]) =>
      Array.from({ length: count }, () => ({
        question: text.slice(0, 600),
        answer: text.slice(0, 600),
        matchType: '' as const,
      })),
    ),
  ),
  letters: fc.record({ variantA: anyText, variantB: anyText }),
}) as fc.Arbitrary<TemplateForm>;

const anyNote = fc.oneof(
  fc.record({ kind: fc.constant('sender'), name: anyText, type: anyText, organization: anyText }),
  fc.record({ kind: fc.constant('sender') }),
  fc.record({ kind: fc.constant('flexible-rate'), rules: fc.nat() }),
  fc.record({
    kind: fc.constant('choice'),
    field: fc.constantFrom('visibility', 'hourly.mode', 'hourly.increaseFrequency', 'fixedPrice.type'),
    was: anyText,
  }),
  fc.record({ kind: fc.constant('match-types'), places: fc.array(fc.nat(49), { maxLength: 50 }) }),
  fc.record({ kind: fc.constant('answers'), dropped: fc.nat() }),
  fc.record({ kind: fc.constant('attachments'), names: fc.array(anyText, { maxLength: 20 }) }),
  fc.record({ kind: fc.constant('letters') }),
  fc.record({ kind: fc.constant('assignments'), filters: fc.nat(9), setups: fc.nat(9) }),
);

export const anyOrigin = fc
  .record(
    {
      template: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      name: anyText,
      senderType: fc.oneof(anyText, fc.constant('agency')),
      notes: fc.array(anyNote, { maxLength: 12 }),
    },
    { requiredKeys: ['template', 'notes'] },
  )
  .map(originOf);

const path = fc.oneof(
  anyText,
  fc.constantFrom('name', 'hourly_rate.rate', 'answers.0.answer', 'answers[70].question', '__proto__'),
);
const anyRefusal = fc.record(
  {
    code: fc.oneof(anyText, fc.constantFrom('bad-request', 'not-found', 'server', 'fault', 'constructor')),
    serverMessage: anyText,
    fields: fc.dictionary(path, anyText, { maxKeys: 40 }),
    retryAfterMs: fc.nat(),
  },
  { requiredKeys: ['code'] },
);
const anyCreated = fc.record(
  {
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    name: anyText,
    visibility: anyText,
    sender: fc.record({ name: anyText, type: anyText, organization: anyText }),
    hourlyRate: fc.record({
      mode: anyText,
      rate: fc.double({ noNaN: true, noDefaultInfinity: true }),
      increasePercent: fc.double({ noNaN: true, noDefaultInfinity: true }),
      increaseFrequency: anyText,
    }),
    fixedPrice: fc.record({ type: anyText, price: fc.nat() }),
  },
  { requiredKeys: ['id', 'sender', 'hourlyRate', 'fixedPrice'] },
);

export const anyDraft: fc.Arbitrary<TemplateDraft> = fc
  .record(
    {
      form: anyForm,
      from: anyOrigin,
      state: fc.constantFrom('open', 'sending', 'refused', 'unknown', 'created'),
      refusal: anyRefusal,
      template: anyCreated,
      sentAt: fc.nat(),
    },
    { requiredKeys: ['form', 'state'] },
  )
  .map(draftOf);
