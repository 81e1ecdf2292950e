/** The bid form fits into a modal and stays harmless, for any input and any project text. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BidDraft } from '../../../src/bidding/draft-records.ts';
import { BidId, ChannelId, FilterId, SetupId, TemplateId } from '../../../src/ids.ts';
import { parseBidForm } from '../../../src/slack/bids/bid-fields.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import type { BidFormFacts } from '../../../src/slack/bids/bid-form-facts.ts';
import { plainProposal } from '../../plain-proposal.ts';
import { plainTemplate } from '../../plain-template.ts';
import { expectHarmlessView, filledIn, inputIds, viewWords } from '../kit/harmless-view.ts';
import { listed, NOW } from '../samples.ts';
import { bid, draft, FULL, facts, NIGHT } from './bid-form-facts.ts';
import { HOSTILE } from './bidding-samples.ts';

const SUGGESTED = {
  setup: SetupId.parse(2),
  reason: 'last-used',
  filter: FilterId.parse(5),
} as const;

describe('the largest form', () => {
  const QUESTION = 'Why would you be the right one for this? '.repeat(13).slice(0, 500);
  const letters = {
    plain: 'x'.repeat(5_000),
    wide: '汉'.repeat(5_000),
    faces: '😀'.repeat(2_500),
    quotes: '"\\\n'.repeat(1_666),
  };
  const names = [
    '<!channel> "\\" ',
    '汉字'.repeat(100),
    '\u202Egnp\u0000',
    '😀'.repeat(100),
    'x'.repeat(3_000),
  ];
  const setups = Array.from({ length: 140 }, (_, n) => ({
    ...NIGHT,
    id: SetupId.parse(n + 1),
    name: `${names[n % names.length] ?? ''}${n}`,
    status: names[n % names.length] ?? '',
    filter: { id: FilterId.parse(5), name: names[n % names.length] ?? '' },
    dailyLimit: 1,
    sentToday: 1_000_000,
    scheduleLabel: names[n % names.length] ?? '',
    template: { id: TemplateId.parse(1), name: names[n % names.length] ?? '' },
  }));

  const trouble = { code: 'x', serverMessage: names.join('') };
  const bids = Array.from({ length: 40 }, (_, n) => ({
    bid: bid({
      id: BidId.parse(`${n + 2}:1`),
      state: n % 2 ? 'refused' : 'created',
      setupName: names[n % names.length] ?? '',
      channel: ChannelId.parse('C0ELSE'),
      refusal: trouble,
    }),
  }));
  const standing = { bids, bidsNotShownBefore: new Set(bids.slice(0, 20).map((view) => view.bid.id)) };

  /** All that the form shows beside what is typed. */
  function surroundings(text: string): Partial<BidFormFacts> {
    const letters = [1, 2, 3].map((n) => ({
      proposal: plainProposal(n, {
        jobTitle: names.join(''),
        coverLetter: text,
        hired: true,
        submittedAt: NOW,
      }),
      shared: [names.join(''), 'react', 'checkout', 'node'],
    }));
    const template = plainTemplate(1, {
      name: names.join(''),
      abTesting: true,
      coverLetters: { variantA: text, variantB: text },
      ai: { templateStructure: true },
    });
    return {
      ...standing,
      letters,
      template: { kind: 'read', template },
      answerCost: { connects: 1e6, low: 1e5, high: 1e7, proposals: 1e5, days: 90 },
      project: {
        ...listed({ title: names.join(''), verdict: { decision: text, reason: text, other: {} } }),
        description: 'Telegram. Free test. \u202E',
        client: { verified: false, country: names.join(''), totalHires: 0, totalSpent: 0 },
      },
    };
  }

  function largest(text: string, question: string, parts: number): BidDraft {
    const setup = SetupId.parse(2);
    const form = { ...FULL, setup, coverLetter: text, answers: Array.from({ length: 30 }, () => text) };
    const replaced = { revision: 9, letter: '', replaced: text };
    const questions = Array.from({ length: 50 }, (_, n) => `${n} ${question}`.slice(0, 500));
    return draft(
      { questions, parts, title: 'x'.repeat(20_000), insertedLetter: replaced, suggested: SUGGESTED },
      form,
    );
  }

  it.each(Object.entries(letters))('fits into a modal, and no sign of it is lost: %s', (_, text) => {
    for (const question of [QUESTION, '汉'.repeat(500), '"'.repeat(500)]) {
      for (const parts of [1, 2]) {
        const filled = largest(text, question, parts);
        const note = 'x'.repeat(2_000);
        const around = surroundings(text);
        const view = bidFormView(facts({ draft: filled, setups: { setups }, note, ...around }));
        expectHarmlessView(view);
        expect(parseBidForm(filledIn(view), filled)).toEqual(filled.form);
      }
    }
  });

  it('shows every answer of plain text, and says which questions it has no room for', () => {
    const view = bidFormView(facts({ draft: largest(letters.plain, QUESTION, 2), setups: { setups } }));
    expect(inputIds(view).filter((id) => /^answer_\d+$/u.test(id))).toHaveLength(30);
    const notes = viewWords(view).match(/^(?!20 ).*\b20\b more.*$/gmu);
    expect(notes).toHaveLength(1);
  });

  it('says of an answer that does not fit that it is kept, and sends it', () => {
    const view = bidFormView(facts({ draft: largest(letters.wide, QUESTION, 2), setups: { setups } }));
    expect(viewWords(view)).toMatch(/^Your answer \(5,000 characters\) is saved and will be sent/mu);
  });

  it('fits even where every text is over the limit', () => {
    const filled = largest('x'.repeat(9_999), QUESTION, 2);
    const view = bidFormView(facts({ draft: filled, setups: { setups }, ...surroundings(letters.wide) }));
    expectHarmlessView(view);
    expect(parseBidForm(filledIn(view), filled)).toEqual(filled.form);
  });
});

describe('any project, however it is written', () => {
  const hostile = fc.constantFrom(...HOSTILE);

  it('makes a harmless form', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.array(hostile, { maxLength: 5 }),
        hostile,
        fc.constantFrom('sending', 'created', 'skipped', 'refused', 'unknown'),
        (title, questions, name, state) => {
          const strange = draft({ title, questions, url: title }, { coverLetter: title.slice(0, 6_000) });
          const setup = { ...NIGHT, name, status: name, scheduleLabel: name, timezone: name };
          const view = bidFormView(
            facts({
              draft: strange,
              setups: { setups: [{ ...setup, template: { id: TemplateId.parse(1), name } }] },
              bids: [
                { bid: bid({ title, setupName: name, state, refusal: { code: name, serverMessage: name } }) },
              ],
              budget: { type: name, amount: name },
            }),
          );
          expectHarmlessView(view);
        },
      ),
      { numRuns: 60 },
    );
  });
});
