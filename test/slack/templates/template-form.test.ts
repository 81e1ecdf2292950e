import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrganizationId, TemplateId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { SENDER_NOT_ELIGIBLE_WARNING, STEP_TITLES } from '../../../src/slack/templates/template-fields.ts';
import { TEMPLATE_FIELDS } from '../../../src/templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateForm, type TemplateStep } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { changed, FULL, LARGEST, longest, SMALLEST } from '../../templates/forms.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { actionsOf, viewWords } from '../kit/harmless-view.ts';
import { NOW } from '../samples.ts';
import { SOLO } from './template-desk.ts';
import { draftOf, filledIn, idOf, namesOf, placeOf, stepView, submitted } from './template-screen.ts';

const STUDIO: ProposalSender = {
  organizationId: OrganizationId.parse(7),
  name: 'Studio',
  type: 'agency',
  contractors: [
    { uid: 'c-1', name: 'Ana' },
    { uid: 'c-2', name: 'Ben' },
  ],
};
const KNOWN = { kind: 'known', senders: [STUDIO, SOLO], readAt: NOW } as const;

function inputNames(step: TemplateStep, form: TemplateForm): string[] {
  return namesOf(stepView(step, draftOf({ form }), { senders: KNOWN }));
}

describe('the steps', () => {
  it('say where one stands, and lead on and back', () => {
    const words = TEMPLATE_STEPS.map((step) => viewWords(stepView(step, draftOf({ form: FULL }))));
    const heads = words.map((each) => /^.* of 6 .*$/mu.exec(each)?.[0]);
    expect(heads).toEqual(
      TEMPLATE_STEPS.map((step, at) =>
        expect.stringMatching(new RegExp(`${at + 1}.*\\*${STEP_TITLES[step]}\\*`, 'u')),
      ),
    );
    expect(heads).toMatchSnapshot();
    const submits = TEMPLATE_STEPS.map((step) => stepView(step, draftOf({ form: FULL })).submit?.text);
    expect(submits.slice(0, 5)).toEqual(['Next', 'Next', 'Next', 'Next', 'Next']);
    expect(submits.at(-1)).not.toBe('Next');
    expect(words.map((each) => each.split('\n').includes('Back'))).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it('tell in their menu which of them are complete', () => {
    const form = changed(SMALLEST, { hourly: { rate: '' } });
    const words = viewWords(stepView('sender', draftOf({ form })));
    expect(words).toContain(`1. ${STEP_TITLES.sender} ✓`);
    expect(words).toContain(`2. ${STEP_TITLES.rates}\n`);
    expect(words).toContain(`4. ${STEP_TITLES.letters} ✓`);
  });

  it('carry the draft, the step and nothing that was typed', () => {
    const view = stepView('rates', draftOf({ form: FULL }));
    expect(placeOf(view)).toMatchObject({ draft: 'abcdefghijklmnop12345678', step: 'rates', revision: 4 });
    expect(view).toMatchObject({ callback_id: 'template', notify_on_close: true });
  });
});

describe('fields', () => {
  it('of rates come with the choices that need them', () => {
    expect(inputNames('rates', SMALLEST)).toEqual([
      'hourly.mode',
      'hourly.rate',
      'hourly.increaseFrequency',
      'fixedPrice.type',
      'fixedPrice.minPrice',
      'fixedPrice.clientBudgetPercent',
    ]);
    const other = changed(FULL, { fixedPrice: { type: 'by-project' } });
    expect(inputNames('rates', other)).toEqual([
      'hourly.mode',
      'hourly.rate',
      'hourly.smartMin',
      'hourly.smartMax',
      'hourly.smartPercent',
      'hourly.increaseFrequency',
      'hourly.increasePercent',
      'fixedPrice.type',
      'fixedPrice.price',
    ]);
  });

  it('of letters come with the template structure, and go without a loss', () => {
    expect(inputNames('letters', FULL)).toEqual(['abTesting', 'letters.variantA', 'letters.variantB']);
    const form = changed(FULL, { ai: { templateStructure: false } });
    const view = stepView('letters', draftOf({ form }));
    expect(namesOf(view)).toEqual([]);
    expect(actionsOf(view).filter((id) => id === actionIds.templateStep).length).toBeGreaterThan(
      actionsOf(stepView('letters', draftOf({ form: FULL }))).filter((id) => id === actionIds.templateStep)
        .length,
    );
    expect(viewWords(view)).toMatchSnapshot();
    expect(submitted(view, form)).toEqual(form);
  });

  it('that have no input on the screen keep what is stored', () => {
    const before = stepView('rates', draftOf({ form: SMALLEST }));
    const stored = changed(FULL, { hourly: { smartMin: '30' } });
    expect(submitted(before, stored).hourly).toMatchObject({ smartMin: '30', smartMax: '60', mode: 'fixed' });
  });

  it('stay the same blocks while their step is on screen, and are new ones when it is reopened', () => {
    const first = stepView('rates', draftOf({ form: FULL, revision: 4 }));
    const again = stepView('rates', draftOf({ form: FULL, revision: 5 }), { spot: { since: 4 } });
    const later = stepView('rates', draftOf({ form: FULL, revision: 9 }));
    expect(idOf(again, 'hourly.rate')).toBe(idOf(first, 'hourly.rate'));
    expect(idOf(later, 'hourly.rate')).not.toBe(idOf(first, 'hourly.rate'));
    const texts = [4, 5].map((revision) =>
      idOf(stepView('ai', draftOf({ form: FULL, revision }), { spot: { since: 4 } }), 'ai.instructions'),
    );
    expect(new Set(texts).size).toBe(2);
  });
});

describe('the sender', () => {
  const choose = (sender: Partial<TemplateForm['sender']>, spot = {}) =>
    stepView('sender', draftOf({ form: changed(SMALLEST, { sender }) }), { senders: KNOWN, spot });

  it('is chosen from the list; an agency has a contractor besides, a freelancer none', () => {
    expect(namesOf(choose({ organizationId: '' }))).toEqual(['name', 'visibility', 'menu.organization']);
    expect(namesOf(choose({ organizationId: '8', type: 'freelancer' }))).toEqual([
      'name',
      'visibility',
      'menu.organization',
    ]);
    const agency = choose({ organizationId: '7', type: 'agency', contractorUid: 'c-2' });
    expect(namesOf(agency)).toEqual(['name', 'visibility', 'menu.organization', 'menu.contractor']);
    expect(filledIn(agency).get(idOf(agency, 'menu.contractor'))).toEqual({ option: '=c-2' });
    expect(viewWords(agency)).toContain('Studio (agency, #7)');
  });

  it('is typed where “Other” is chosen, or the list does not have it', () => {
    const typed = [
      'name',
      'visibility',
      'menu.organization',
      'sender.organizationId',
      'sender.contractorUid',
    ];
    expect(namesOf(choose({ organizationId: '99', contractorUid: 'x' }))).toEqual(typed);
    const other = { typing: { organization: true, contractor: false } };
    expect(namesOf(choose({ organizationId: '' }, other))).toEqual(typed);
  });

  it('keeps a contractor that a freelancer must not have in sight until it is gone', () => {
    const view = choose({ organizationId: '8', type: 'freelancer', contractorUid: 'c-1' });
    expect(namesOf(view)).toContain('sender.contractorUid');
  });

  it('is typed where no list can be read, with help on where the ids are', () => {
    const why = new MarketplaceError('not-found', 'none', 'no such path');
    const view = stepView('sender', draftOf({ form: SMALLEST }), { senders: { kind: 'unavailable', why } });
    expect(namesOf(view)).toEqual(['name', 'visibility', 'sender.organizationId', 'sender.contractorUid']);
    expect(viewWords(view)).toContain('GET /proposal-senders');
    expect(viewWords(view)).toMatchSnapshot();
    expect(actionsOf(view)).toContain(actionIds.templateSenders);
  });

  it('is not asked for while the list is read, and stays as it is', () => {
    const view = stepView('sender', draftOf({ form: FULL }), { senders: { kind: 'loading' } });
    expect(namesOf(view)).toEqual(['name', 'visibility']);
    expect(viewWords(view)).toMatch(/…\s.*\b7\b/u);
    expect(viewWords(view)).toMatchSnapshot();
    expect(submitted(view, FULL)).toEqual(FULL);
  });

  it('may be any of a hundred and more, and of whatever names', () => {
    const many = Array.from({ length: 150 }, (_, n): ProposalSender => {
      const contractors = Array.from({ length: 150 }, (_each, m) => ({ uid: `${n}-${m}${'u'.repeat(m)}` }));
      return { organizationId: OrganizationId.parse(n + 1), name: HOSTILE[n % 7] ?? '', contractors };
    });
    const form = changed(SMALLEST, { sender: { organizationId: '150', contractorUid: '149-1u' } });
    const view = stepView('sender', draftOf({ form }), { senders: { ...KNOWN, senders: many } });
    expect(filledIn(view).get(idOf(view, 'menu.organization'))).toEqual({ option: '=150' });
    // The last option is for any other; contractors with IDs too long for an option aren't listed.
    for (const [name, listed] of [
      ['menu.organization', 99],
      ['menu.contractor', 69],
    ] as const) {
      const menu = view.blocks.find((block) => block.block_id === idOf(view, name));
      expect(menu).toHaveProperty('element.options.length', listed + 1);
      expect(menu).toHaveProperty('hint.text', expect.stringMatching(`\\b${150 - listed}\\b`));
    }
  });

  it('warns when an agency’s template is switched to a freelancer', () => {
    const from = { template: TemplateId.parse(12), senderType: 'agency', notes: [] };
    const form = changed(SMALLEST, { sender: { organizationId: '8', type: 'freelancer' } });
    for (const step of ['sender', 'review'] as const)
      expect(viewWords(stepView(step, draftOf({ form, from }), { senders: KNOWN }))).toContain(
        SENDER_NOT_ELIGIBLE_WARNING,
      );
  });
});

describe('long texts', () => {
  const at = (instructions: string, more: Partial<TemplateDraft> = {}) =>
    stepView('ai', draftOf({ form: changed(SMALLEST, { ai: { instructions } }), ...more }));

  it('are laid out over as many inputs as they need, with room for more on a press', () => {
    expect(namesOf(at('short')).filter((name) => name.startsWith('ai.instructions'))).toHaveLength(1);
    expect(actionsOf(at('short'))).toContain(actionIds.templateMoreSpace);
    expect(viewWords(at('short'))).toMatchSnapshot();
    const parts = namesOf(at('x', { room: { 'ai.instructions': 3 } })).slice(1, 4);
    expect(parts).toEqual(['ai.instructions', 'ai.instructions~2', 'ai.instructions~3']);
  });

  it('tell their length near the bound, in characters as the marketplace counts them', () => {
    const told = (length: number) =>
      viewWords(at('😀'.repeat(length))).match(/^.*\d,\d{3} .*\b10,000\b.*$/gmu);
    expect(told(8_999)).toBeNull();
    expect(told(9_000)).toEqual([expect.stringContaining('9,000 of 10,000 ')]);
    expect(told(10_000)).toEqual([expect.stringContaining('10,000 of 10,000 ')]);
    expect(told(10_001)).toEqual([expect.stringMatching(/ 10,001 .*\b1 .* 10,000\b/u)]);
    expect([9_000, 10_001].map(told)).toMatchSnapshot();
  });

  it('come back to the character, whatever they are', () => {
    const part = fc.constantFrom(
      '😀',
      'a',
      '\r\n',
      ' ',
      '\u0000',
      '"',
      '\\',
      '👩‍👩‍👦',
      '\uD800',
      'é',
      '\u2028',
    );
    const text = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 30 }), fc.nat(400))
      .map(([parts, times]) => parts.join('').repeat(times));
    fc.assert(
      fc.property(text, text, text, (instructions, clientQuestions, additionalContext) => {
        const form = changed(SMALLEST, { ai: { instructions, clientQuestions, additionalContext } });
        expect(submitted(stepView('ai', draftOf({ form })), form)).toEqual(form);
      }),
      { numRuns: 60 },
    );
  });

  it('beyond what a window holds are kept as they are, and said to be', () => {
    const form = changed(SMALLEST, {
      ai: { instructions: '字'.repeat(60_000), clientQuestions: '字'.repeat(30_000), additionalContext: 'C' },
    });
    const view = stepView('ai', draftOf({ form }));
    expect(namesOf(view)).not.toContain('ai.clientQuestions');
    const [note = ''] = viewWords(view).match(/^.*\b30,000\b.*$/gmu) ?? [];
    expect(note).toContain(TEMPLATE_FIELDS['ai.clientQuestions'].label);
    expect(note).toMatchSnapshot();
    expect(actionsOf(view)).toContain(actionIds.templateMoreSpace);
    expect(submitted(view, form)).toEqual(form);
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

describe('the largest template', () => {
  it.each(TEMPLATE_STEPS)('fits into Slack’s windows at every step: %s', (step) => {
    for (const form of [LARGEST, WORST]) {
      const view = stepView(step, draftOf({ form }), { senders: KNOWN, spot: { marks: true } });
      expect(submitted(view, form)).toEqual({ ...form, sender: form.sender });
    }
  });

  it('shows every legal text with an input, whatever it is written in', () => {
    expect(namesOf(stepView('ai', draftOf({ form: WORST })))).toEqual(
      expect.arrayContaining(['ai.instructions', 'ai.clientQuestions', 'ai.additionalContext']),
    );
  });

  it('fits with all that can be wrong with it, too', () => {
    const form = changed(WORST, {
      answers: Array.from({ length: 60 }, () => ({
        question: longest(501),
        answer: longest(5_001),
        matchType: '' as const,
      })),
      ai: {
        instructions: longest(34_000),
        clientQuestions: 'x'.repeat(99_000),
        additionalContext: longest(20_000),
      },
      letters: { variantA: 'x'.repeat(99_000), variantB: '\u0001'.repeat(99_000) },
      name: longest(400),
      hourly: { rate: 'x'.repeat(4_000), smartMin: '900', smartMax: '<!channel>' },
    });
    const places = Array.from({ length: 60 }, (_, n) => [
      `answers.${n}.answer`,
      `answers.${n}.question`,
      `answers[${n}].match_type`,
      `unknown.${n}`,
    ]).flat();
    const fields = Object.fromEntries(
      [...places, 'name', 'ai', 'hourly_rate.rate'].map((path) => [path, '字'.repeat(900)]),
    );
    const refusal = { code: 'bad-request', serverMessage: '字'.repeat(900), fields };
    const draft = draftOf({ form, state: 'refused', refusal, attempt: 3 });
    for (const step of TEMPLATE_STEPS) stepView(step, draft, { senders: KNOWN, spot: { marks: true } });
  });
});

describe('any template, however it is written', () => {
  it('makes harmless windows', () => {
    const hostile = fc.constantFrom(...HOSTILE);
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(...TEMPLATE_STEPS), (text, other, step) => {
        const form = changed(FULL, {
          name: text,
          sender: { organizationId: other, contractorUid: text },
          hourly: { rate: text, smartMin: other },
          ai: { model: text, instructions: other },
          letters: { variantA: text, variantB: other },
          answers: [{ question: text, answer: other, matchType: '' }],
        });
        const from = { template: TemplateId.parse(12), name: text, senderType: text, notes: [] };
        const refusal = {
          code: text,
          serverMessage: text,
          fields: { [text || 'x']: other, name: text, 'answers.0.answer': other, 'ai.model': text },
        };
        const draft = draftOf({ form, from, refusal, state: 'refused' });
        const named = { ...STUDIO, name: text, type: other, contractors: [{ uid: text, name: other }] };
        for (const senders of [{ ...KNOWN, senders: [named] }, { kind: 'loading' } as const])
          stepView(step, draft, { senders, spot: { marks: true } });
      }),
      { numRuns: 60 },
    );
  });
});

it('requires what the marketplace requires, and nothing else', () => {
  const form = changed(FULL, { hourly: { increaseFrequency: 'every-6-months' } });
  const required = (step: TemplateStep) =>
    stepView(step, draftOf({ form }), {
      senders: { kind: 'known', senders: [], readAt: NOW },
    }).blocks.flatMap((block) =>
      'optional' in block && block.optional === false ? (block.block_id?.split(':', 1) ?? []) : [],
    );
  expect(required('sender')).toEqual(['name', 'visibility', 'sender.organizationId', 'sender.contractorUid']);
  expect(required('rates')).toEqual([
    'hourly.mode',
    'hourly.rate',
    'hourly.increaseFrequency',
    'fixedPrice.type',
  ]);
  expect([...required('ai'), ...required('letters')]).toEqual(['ai.instructions']);
});
