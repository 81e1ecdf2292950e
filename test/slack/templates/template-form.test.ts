import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TemplateId } from '../../../src/ids.ts';
import {
  answerModalView,
  insertOrReplaceAnswer,
  parseTemplateAnswer,
} from '../../../src/slack/templates/template-answer-views.ts';
import { templateCopyNotesText } from '../../../src/slack/templates/template-details.ts';
import { findResumeStep } from '../../../src/slack/templates/template-errors.ts';
import { nextInputCount } from '../../../src/slack/templates/template-inputs.ts';
import { templateReviewBlocks } from '../../../src/slack/templates/template-review.ts';
import { templateView } from '../../../src/slack/templates/template-submit.ts';
import { parseAnswerMetadata, parseBuilderMetadata } from '../../../src/slack/templates/template-values.ts';
import { TEMPLATE_FIELDS } from '../../../src/templates/fields.ts';
import {
  addScreeningAnswer,
  EMPTY_TEMPLATE_FORM,
  moveScreeningAnswer,
  removeScreeningAnswer,
  TEMPLATE_STEPS,
  type TemplateForm,
  type TemplateStep,
} from '../../../src/templates/form.ts';
import { prefillForm } from '../../../src/templates/prefill-form.ts';
import { changed, FULL, LARGEST, longest, SMALLEST, template } from '../../templates/forms.ts';
import { accepted } from '../read-view.ts';
import {
  CHANNEL,
  draftOf,
  filledIn,
  HOSTILE,
  idOf,
  known,
  namesOf,
  placeOf,
  STUDIO,
  sent,
  viewOf,
} from './form-screen.ts';

describe('fields', () => {
  it('come with the choices that need them', () => {
    const names = (form: TemplateForm) => namesOf(viewOf('rates', draftOf(form)));
    const fixed = ['hourly.mode', 'hourly.rate', 'hourly.increaseFrequency', 'fixedPrice.type'];
    expect(names(SMALLEST)).toEqual([...fixed, 'fixedPrice.minPrice', 'fixedPrice.clientBudgetPercent']);
    const other = names(changed(FULL, { fixedPrice: { type: 'by-project' } }));
    const smart = ['hourly.smartMin', 'hourly.smartMax', 'hourly.smartPercent', 'hourly.increasePercent'];
    expect(new Set(other)).toEqual(new Set([...fixed, ...smart, 'fixedPrice.price']));
    const off = changed(FULL, { ai: { templateStructure: false } });
    const letters = viewOf('letters', draftOf(off));
    expect(namesOf(letters)).toEqual([]);
    expect(sent(letters, off)).toEqual(off);
  });

  it('without an input on the screen keep what is stored', () => {
    const before = viewOf('rates', draftOf(SMALLEST));
    expect(sent(before, FULL).hourly).toMatchObject({ smartMin: '30', smartMax: '60', mode: 'fixed' });
  });

  it('stay the same blocks while their step is on screen, and are new ones when it is reopened', () => {
    const id = (revision: number, since: number, step: TemplateStep, name: string) =>
      idOf(viewOf(step, draftOf(FULL, { revision }), { since }), name);
    expect(id(5, 4, 'rates', 'hourly.rate')).toBe(id(4, 4, 'rates', 'hourly.rate'));
    expect(id(9, 9, 'rates', 'hourly.rate')).not.toBe(id(4, 4, 'rates', 'hourly.rate'));
    expect(id(5, 4, 'ai', 'ai.instructions')).not.toBe(id(4, 4, 'ai', 'ai.instructions'));
  });
});

/** Six bytes a character in JSON, the worst case. */
const WORST = changed(LARGEST, {
  ai: {
    instructions: '\u0001'.repeat(10_000),
    clientQuestions: '\uD800'.repeat(10_000),
    additionalContext: '\u0001'.repeat(10_000),
  },
  letters: { variantA: '\u0001'.repeat(5_000), variantB: '\u0001'.repeat(5_000) },
  answers: Array.from({ length: 50 }, (_, n) => ({
    question: '&<>"\\'.repeat(100),
    answer: (n % 2 ? '字' : '\u0001').repeat(5_000),
    matchType: 'exact' as const,
  })),
});

describe('texts', () => {
  it.each(TEMPLATE_STEPS)('of the largest template fit at every step, and come back: %s', (step) => {
    for (const form of [LARGEST, WORST])
      expect(sent(viewOf(step, draftOf(form), { marks: true }), form)).toEqual(form);
    expect(namesOf(viewOf('ai', draftOf(WORST)))).toEqual(
      expect.arrayContaining(['ai.instructions', 'ai.clientQuestions', 'ai.additionalContext']),
    );
  });

  it('fit with all that can be wrong with them, and however hostile', () => {
    const wrong = { question: longest(501), answer: longest(5_001), matchType: '' } as const;
    const far = changed(WORST, {
      answers: Array.from({ length: 60 }, () => wrong),
      ai: { instructions: longest(34_000), clientQuestions: 'x'.repeat(99_000) },
      letters: { variantA: 'x'.repeat(99_000), variantB: '\u0001'.repeat(99_000) },
      name: longest(400),
      hourly: { rate: 'x'.repeat(4_000), smartMin: '900', smartMax: '<!channel>' },
    });
    const places = Array.from({ length: 60 }, (_, n) => [
      `answers.${n}.answer`,
      `answers.${n}.x`,
      `unknown.${n}`,
    ]);
    const fields = Object.fromEntries(
      [...places.flat(), 'name', 'ai'].map((path) => [path, '字'.repeat(900)]),
    );
    const refusal = { code: 'bad-request', serverMessage: '字'.repeat(900), fields };
    for (const step of TEMPLATE_STEPS)
      viewOf(step, draftOf(far, { state: 'refused', refusal, attempt: 3 }), { marks: true });
    for (const text of HOSTILE) {
      const answers = [{ question: text, answer: text, matchType: '' as const }];
      const form = changed(FULL, {
        name: text,
        sender: { organizationId: text, contractorUid: text },
        hourly: { rate: text },
        ai: { model: text },
        letters: { variantA: text },
        answers,
      });
      const from = { template: TemplateId.parse(12), name: text, senderType: text, notes: [] };
      const said = { code: text, serverMessage: text, fields: { [text || 'x']: text, name: text } };
      const senders = known([{ ...STUDIO, name: text, contractors: [{ uid: text, name: text }] }]);
      for (const step of TEMPLATE_STEPS)
        viewOf(step, draftOf(form, { from, refusal: said, state: 'refused' }), { senders, marks: true });
      accepted(answerModalView({ draft: draftOf(form), place: { channel: CHANNEL, index: 0 } }));
    }
  });

  it('come back to the character, whatever they are', () => {
    const part = fc.constantFrom('😀', 'a', '\r\n', ' ', '\u0000', '"', '\\', '👩‍👩‍👦', '\uD800', '\u2028');
    const text = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 30 }), fc.nat(400))
      .map(([parts, times]) => parts.join('').repeat(times));
    fc.assert(
      fc.property(text, text, (instructions, clientQuestions) => {
        const form = changed(SMALLEST, { ai: { instructions, clientQuestions } });
        expect(sent(viewOf('ai', draftOf(form)), form)).toEqual(form);
      }),
      { numRuns: 60 },
    );
  });

  it('tell their length near the bound, in characters as the marketplace counts them', () => {
    const told = (length: number) => {
      const form = changed(SMALLEST, { ai: { instructions: '😀'.repeat(length) } });
      return JSON.stringify(viewOf('ai', draftOf(form))).includes(
        `${length.toLocaleString('en-US')} of 10,000`,
      );
    };
    expect([8_999, 9_000, 10_000].map(told)).toEqual([false, true, true]);
  });

  it('beyond what a window holds are kept as they are, and said to be', () => {
    const far = { instructions: '字'.repeat(60_000), clientQuestions: '字'.repeat(30_000) };
    const form = changed(SMALLEST, { ai: far });
    const view = viewOf('ai', draftOf(form));
    expect(namesOf(view)).not.toContain('ai.clientQuestions');
    expect(JSON.stringify(view)).toMatch(/client questions\* \(30,000 characters\) is saved/u);
    expect(JSON.stringify(view)).toContain('empty:ai.clientQuestions');
    expect(sent(view, form)).toEqual(form);
  });
});

describe('an answer', () => {
  const answer = (question: string, text = 'Yes.') =>
    ({ question, answer: text, matchType: 'contains' }) as const;
  const list = (...questions: string[]) => changed(SMALLEST, { answers: questions.map((it) => answer(it)) });

  function windowOf(form: TemplateForm, index: number) {
    const view = accepted(answerModalView({ draft: draftOf(form), place: { channel: CHANNEL, index } }));
    const place = parseAnswerMetadata(view.private_metadata ?? '') ?? expect.fail('no place');
    return { view, place };
  }

  it('comes back with every sign; one that no window holds is kept', () => {
    for (const form of [FULL, LARGEST, WORST]) {
      const { view, place } = windowOf(form, 0);
      expect(parseTemplateAnswer(filledIn(view), place)).toEqual(form.answers[0]);
    }
    const huge = answer('Why?', '\u0001'.repeat(60_000));
    const { view, place } = windowOf(changed(FULL, { answers: [huge] }), 0);
    expect(namesOf(view)).not.toContain('answers.answer');
    expect(parseTemplateAnswer(filledIn(view), place, huge)).toEqual(huge);
  });

  it('never overwrites another, and is added once, whatever was done to the list meanwhile', () => {
    const change = fc.oneof(
      fc.nat(5).map((at) => (form: TemplateForm) => removeScreeningAnswer(form, at)),
      fc.tuple(fc.nat(5), fc.nat(5)).map(
        ([from, to]) =>
          (form: TemplateForm) =>
            moveScreeningAnswer(form, from, to),
      ),
      fc.nat(99).map((n) => (form: TemplateForm) => addScreeningAnswer(form, answer(`new ${n}`))),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), fc.nat(4), (changes, index) => {
        const opened = list('a', 'b', 'c', 'd');
        const { place } = windowOf(opened, index);
        const now = changes.reduce((form, each) => each(form), opened);
        const saved = insertOrReplaceAnswer(now, place, answer('edited'));
        const lost = now.answers.filter((each) => !saved.answers.includes(each));
        expect(saved.answers).toContainEqual(answer('edited'));
        expect(lost.length).toBeLessThanOrEqual(1);
        for (const each of lost) expect(each).toEqual(opened.answers[index]);
        if (changes.length === 0 && index < 4) expect(saved.answers).toHaveLength(4);
        expect(insertOrReplaceAnswer(saved, place, answer('edited')).answers).toEqual(saved.answers);
      }),
    );
    const full = list(...Array.from({ length: 50 }, (_, n) => `${n}`));
    expect(insertOrReplaceAnswer(full, windowOf(full, 50).place, answer('more'))).toBe(full);
  });
});

describe('where a draft is taken up again', () => {
  it.each([
    ['sender', EMPTY_TEMPLATE_FORM],
    ['rates', changed(SMALLEST, { hourly: { rate: '' } })],
    ['ai', changed(SMALLEST, { ai: { instructions: ' ' } })],
    ['letters', changed(SMALLEST, { letters: { variantA: ' ' } })],
    ['answers', changed(SMALLEST, { answers: [{ question: 'Q', answer: 'A', matchType: '' }] })],
    ['review', FULL],
  ] as const)('is %s', (step, form) => {
    expect(findResumeStep(draftOf(form))).toBe(step);
  });

  it('is what the marketplace refused, before all', () => {
    const fields = { 'cover_letters.variant_a': 'no', 'ai.model': 'unknown model' };
    expect(
      findResumeStep(draftOf(FULL, { state: 'refused', refusal: { code: 'bad-request', fields } })),
    ).toBe('ai');
  });
});

it('a form that is closed keeps what Slack tells of it, and nothing where it tells nothing', async () => {
  const kept: TemplateForm[] = [];
  const save = async ({ change }: { change: (form: TemplateForm) => TemplateForm }) => {
    kept.push(change(FULL));
    return { kind: 'gone' };
  };
  const services = { templates: { drafts: { save } } };
  const view = viewOf('rates', draftOf(FULL));
  const privateMetadata = view.private_metadata;
  const typed = filledIn(view, { 'hourly.rate': { text: '55' } });
  const menus = [...filledIn(view)].filter(([, { option }]) => option !== undefined);
  for (const values of [typed, new Map(), new Map(menus)])
    await templateView.closed?.({ user: 'U1', view: { privateMetadata, values }, services } as never);
  expect(kept.map((it) => it.hourly.rate)).toEqual(['55']);
});

it('there is room for the longest letter, and no more', () => {
  const next = (room: number) => nextInputCount('letters.variantA', '', { 'letters.variantA': room });
  expect([next(1), next(4), next(5)]).toEqual([2, 5, undefined]);
});

it('the review hides what the choices do not ask for', () => {
  const kept = changed(FULL, {
    hourly: { mode: 'fixed', smartMin: '31', increaseFrequency: 'never', increasePercent: '7' },
    fixedPrice: { type: 'by-project', price: '500', minPrice: '123' },
    ai: { templateStructure: false },
  });
  const text = JSON.stringify(templateReviewBlocks(kept));
  const hidden = ['abTesting', 'letters.variantA', 'hourly.smartMin', 'hourly.smartPercent'] as const;
  for (const words of ['31', '7%', '123', ...hidden.map((it) => TEMPLATE_FIELDS[it].label)])
    expect(text).not.toContain(words);
  expect(text).toContain('$500');
});

it('what a copy leaves out is said in one section, however much it is', () => {
  const text = '<!channel> &'.repeat(99);
  const source = template({
    name: text,
    visibility: text,
    sender: { name: text, type: text, organization: text },
    hourlyRate: { mode: text, increaseFrequency: text },
    fixedPrice: { type: text },
    answers: Array.from({ length: 60 }, () => ({ question: text, answer: text, matchType: text })),
    attachments: Array.from({ length: 20 }, () => ({ uid: text, name: text })),
  });
  const { notes } = prefillForm(source);
  expect(templateCopyNotesText({ template: source.id, name: text, notes }).length).toBeLessThan(3_000);
});

it('what comes back of a window is input: nonsense is read as nothing', () => {
  const place = placeOf(viewOf('rates', draftOf(FULL)));
  expect(parseBuilderMetadata(JSON.stringify(place))).toEqual(place);
  for (const wrong of [
    { draft: '../x' },
    { channel: 'everyone' },
    { step: 'end' },
    { revision: 0 },
    { inputs: ['__proto__'] },
    { typing: {} },
  ])
    expect(parseBuilderMetadata(JSON.stringify({ ...place, ...wrong }))).toBeUndefined();
  for (const text of ['', '{', 'null', '[]', '{"draft":"x"}'])
    expect([parseBuilderMetadata(text), parseAnswerMetadata(text)]).toEqual([undefined, undefined]);
});
