/** The builder's form, pure: what it shows fits into Slack's windows, and comes back as it was shown. */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChannelId, DraftId, OrganizationId, TeamId, TemplateId, UserId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import {
  answerModalView,
  insertOrReplaceAnswer,
  parseTemplateAnswer,
} from '../../../src/slack/templates/template-answer-views.ts';
import { templateCopyNotesText } from '../../../src/slack/templates/template-details.ts';
import { findResumeStep } from '../../../src/slack/templates/template-errors.ts';
import { type BuilderFacts, builderView } from '../../../src/slack/templates/template-form.ts';
import { templateReviewBlocks } from '../../../src/slack/templates/template-review.ts';
import { templateView } from '../../../src/slack/templates/template-submit.ts';
import {
  parseAnswerMetadata,
  parseBuilderMetadata,
  parseManualIdEntry,
  parseTemplateForm,
  templateFormErrors,
} from '../../../src/slack/templates/template-values.ts';
import { checkTemplateStep } from '../../../src/templates/check-template.ts';
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
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { findViewProblems } from '../../../src/workbench/slack/blocks/view-rules.ts';
import { expectDecentCalls } from '../../kit/check-shown.ts';
import { changed, FULL, LARGEST, longest, SMALLEST, template } from '../../templates/forms.ts';

const CHANNEL = ChannelId.parse('C0WEB');
const HOSTILE = [
  '<!channel> <https://evil.example|x>',
  '\u202Egnp\u0000\u200B',
  '`*_~|"\\',
  '&<>'.repeat(2_000),
  '',
];

const STUDIO: ProposalSender = {
  organizationId: OrganizationId.parse(7),
  name: 'Studio',
  type: 'agency',
  contractors: [{ uid: 'c-1' }, { uid: 'c-2' }],
};
const SOLO: ProposalSender = {
  organizationId: OrganizationId.parse(8),
  name: 'Ben',
  type: 'freelancer',
  contractors: [],
};

function known(senders: readonly ProposalSender[] = [STUDIO, SOLO]) {
  return { kind: 'known', senders, readAt: 1 } as const;
}

function draftOf(form: TemplateForm, more: Partial<TemplateDraft> = {}): TemplateDraft {
  return {
    team: TeamId.parse('T1'),
    user: UserId.parse('U1'),
    id: DraftId.parse('abcdefghijklmnop12345678'),
    form,
    room: {},
    state: 'open',
    attempt: 0,
    revision: 4,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}

function accepted(view: ModalView): ModalView {
  expect(findViewProblems(view, 'modal')).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThanOrEqual(250_000);
  expectDecentCalls([{ method: 'views.open', args: { view } } as never]);
  return view;
}

function viewOf(
  step: TemplateStep,
  draft: TemplateDraft,
  {
    senders = known(),
    ...spot
  }: Partial<BuilderFacts['location']> & { senders?: BuilderFacts['senders'] } = {},
): ModalView {
  return accepted(builderView({ draft, senders, location: { channel: CHANNEL, ...spot, step } }));
}

function inputsIn(view: ModalView): readonly (InputBlock & { readonly block_id: string })[] {
  const blocks = view.blocks as KnownBlock[];
  return blocks.flatMap((it) =>
    it.type === 'input' && it.block_id ? [{ ...it, block_id: it.block_id }] : [],
  );
}

/** The names of its inputs, in order; those of a long text's parts end with `~2` and so on. */
function namesOf(view: ModalView): string[] {
  return inputsIn(view).map((it) => it.block_id.replace(/:\d+/u, ''));
}

function idOf(view: ModalView, name: string): string {
  const found = inputsIn(view).find((it) => it.block_id.replace(/:\d+/u, '') === name);
  return found?.block_id ?? expect.fail(`no ${name} among ${namesOf(view).join()}`);
}

function initialOf({ element }: InputBlock): ViewInputValue {
  if (element.type === 'plain_text_input')
    return element.initial_value ? { text: element.initial_value } : {};
  if (element.type === 'static_select')
    return element.initial_option?.value ? { option: element.initial_option.value } : {};
  if (element.type !== 'checkboxes') return expect.fail(`no ${element.type} in the builder`);
  const options = (element.initial_options ?? []).flatMap(({ value }) => value ?? []);
  return options.length > 0 ? { options } : {};
}

/** What Slack sends for a view: its initial values, with changes by name. */
function filledIn(view: ModalView, changes: Readonly<Record<string, ViewInputValue>> = {}) {
  const initial = inputsIn(view).map((it) => [it.block_id, initialOf(it)] as const);
  const typed = Object.entries(changes).map(([name, value]) => [idOf(view, name), value] as const);
  const all = [...new Map([...initial, ...typed])];
  return new Map(all.filter(([, value]) => Object.keys(value).length > 0));
}

function placeOf(view: ModalView) {
  return parseBuilderMetadata(view.private_metadata ?? '') ?? expect.fail('no place');
}

function sent(view: ModalView, form: TemplateForm, changes: Readonly<Record<string, ViewInputValue>> = {}) {
  return parseTemplateForm(form, { values: filledIn(view, changes), place: placeOf(view) });
}

describe('a sender', () => {
  function chosen(form: TemplateForm, changes: Record<string, ViewInputValue>, typing = {}) {
    const spot = { typing: { organization: false, contractor: false, ...typing } };
    const view = viewOf('sender', draftOf(form), spot);
    const filled = { values: filledIn(view, changes), place: placeOf(view), senders: [STUDIO, SOLO] };
    const { sender } = parseTemplateForm(form, filled);
    return { ...sender, typing: parseManualIdEntry(form.sender, sender, filled) };
  }

  it.each([
    ['brings its type', SMALLEST, { 'menu.organization': { option: '=7' } }, ['7', '', 'agency']],
    ['leaves another’s contractor', FULL, { 'menu.organization': { option: '=8' } }, ['8', '', 'freelancer']],
    [
      'stays as it was typed',
      changed(FULL, { sender: { organizationId: ' #7 ' } }),
      { 'menu.contractor': { option: '=c-2' } },
      [' #7 ', 'c-2', 'agency'],
    ],
    ['is empty after “Other”', FULL, { 'menu.organization': { option: 'other' } }, ['', '', 'unknown']],
    [
      'has no contractor after “Other”',
      FULL,
      { 'menu.contractor': { option: 'other' } },
      ['7', '', 'agency'],
    ],
  ] as const)('that is chosen %s', (_, form, changes, [organizationId, contractorUid, type]) => {
    expect(chosen(form, changes)).toMatchObject({ organizationId, contractorUid, type });
  });

  it('is typed after “Other”', () => {
    const other = { 'menu.organization': { option: 'other' } };
    expect(chosen(FULL, other).typing).toEqual({ organization: true, contractor: false });
    expect(chosen(FULL, { 'menu.contractor': { option: 'other' } }).typing.contractor).toBe(true);
    const form = changed(FULL, { sender: { organizationId: '' } });
    const typed = { 'sender.organizationId': { text: '99' }, 'sender.contractorUid': { text: ' x ' } };
    expect(chosen(form, typed, { organization: true })).toMatchObject({
      organizationId: '99',
      contractorUid: ' x ',
      type: 'unknown',
    });
  });

  it('keeps its type while the list cannot be read, unless another is typed', () => {
    const view = viewOf('sender', draftOf(FULL), { senders: known([]) });
    expect(sent(view, FULL, { name: { text: 'Other' } }).sender.type).toBe('agency');
    expect(sent(view, FULL, { 'sender.organizationId': { text: '9' } }).sender.type).toBe('unknown');
  });

  it('that a freelancer must not have stays in sight, and a loading list changes nothing', () => {
    const form = changed(SMALLEST, {
      sender: { organizationId: '8', type: 'freelancer', contractorUid: 'c-1' },
    });
    expect(namesOf(viewOf('sender', draftOf(form)))).toContain('sender.contractorUid');
    const loading = viewOf('sender', draftOf(FULL), { senders: { kind: 'loading' } });
    expect(namesOf(loading)).toEqual(['name', 'visibility']);
    expect(sent(loading, FULL)).toEqual(FULL);
  });

  it('may be any of a hundred and more', () => {
    const many = Array.from({ length: 150 }, (_, n): ProposalSender => {
      const contractors = Array.from({ length: 150 }, (_each, m) => ({ uid: `${n}-${m}${'u'.repeat(m)}` }));
      return { organizationId: OrganizationId.parse(n + 1), name: HOSTILE[n % 5] ?? '', contractors };
    });
    const form = changed(SMALLEST, { sender: { organizationId: '150', contractorUid: '149-1u' } });
    const view = viewOf('sender', draftOf(form), { senders: known(many) });
    expect(filledIn(view).get(idOf(view, 'menu.organization'))).toEqual({ option: '=150' });
    // The last option is for any other; contractors with IDs too long for an option aren't listed.
    for (const [name, listed] of [
      ['menu.organization', 99],
      ['menu.contractor', 69],
    ] as const) {
      const menu = inputsIn(view).find((it) => it.block_id === idOf(view, name));
      expect(menu).toHaveProperty('element.options.length', listed + 1);
      expect(menu).toHaveProperty('hint.text', expect.stringMatching(`\\b${150 - listed}\\b`));
    }
  });
});

describe('a mistake', () => {
  const errorsIn = (view: ModalView, form: TemplateForm, step: TemplateStep) =>
    templateFormErrors(checkTemplateStep(form, step), placeOf(view));

  it('stands at its field', () => {
    const form = changed(SMALLEST, { hourly: { rate: '2' }, fixedPrice: { minPrice: 'x' } });
    const view = viewOf('rates', draftOf(form));
    expect(errorsIn(view, form, 'rates')).toEqual({
      [idOf(view, 'hourly.rate')]: expect.stringMatching(/\b3\b.*\b999\b/u),
      [idOf(view, 'fixedPrice.minPrice')]: expect.any(String),
    });
  });

  it('of a field that did not come up yet stands at the choice that asks for it', () => {
    const view = viewOf('rates', draftOf(SMALLEST));
    const form = changed(FULL, { hourly: { smartMin: '70', smartPercent: '0' } });
    expect(errorsIn(view, form, 'rates')).toEqual({
      [idOf(view, 'hourly.mode')]: expect.stringMatching(/minimum.*percent/su),
    });
  });

  it('of a sender that cannot be chosen yet stands at the name; without inputs it has no place', () => {
    const form = changed(SMALLEST, { sender: { organizationId: '' } });
    const view = viewOf('sender', draftOf(form), { senders: { kind: 'loading' } });
    expect(Object.keys(errorsIn(view, form, 'sender') ?? {})).toEqual([idOf(view, 'name')]);
    const faulty = changed(SMALLEST, { answers: [{ question: '', answer: '', matchType: '' }] });
    expect(errorsIn(viewOf('answers', draftOf(faulty)), faulty, 'answers')).toBeUndefined();
  });
});

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
