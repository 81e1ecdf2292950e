/** The bid form's inputs hold what was typed, fit into a modal, and stay harmless, for any text. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recreateDraftInputs, splitLongTextInputs } from '../../../src/bidding/bid-drafts.ts';
import { type BidDraft, type BidForm, EMPTY_BID_FORM } from '../../../src/bidding/draft-records.ts';
import { BidId, ChannelId, DraftId, FilterId, SetupId, TemplateId } from '../../../src/ids.ts';
import { type BiddingSetup, ProposalTemplate } from '../../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../../src/marketplace/wire/proposals.ts';
import { bidFormErrors, parseBidForm, shouldRebuildInputs } from '../../../src/slack/bids/bid-fields.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import type { BidFormFacts } from '../../../src/slack/bids/bid-form-facts.ts';
import { plainBid } from '../../bidding/plain-records.ts';
import { plainProposal } from '../../plain-proposal.ts';
import { accepted, filledIn, inputIds } from '../read-view.ts';
import { ANA, CHANNEL, listed, NOW } from '../samples.ts';

const NIGHT: BiddingSetup = {
  id: SetupId.parse(7),
  name: 'Night shift',
  status: 'active',
  template: { id: TemplateId.parse(3), name: 'Shops' },
  dailyLimit: 20,
  sentToday: 3,
  scheduleLabel: 'Mon–Fri 9–17',
  timezone: 'Europe/Oslo',
  delayMinutes: 5,
};

function draft(change: Partial<BidDraft> = {}, form: Partial<BidForm> = {}): BidDraft {
  const { key, title, url, questions } = listed();
  return {
    user: ANA,
    id: DraftId.parse('abcdefghijklmnop12345678'),
    channel: CHANNEL,
    project: key,
    title,
    url,
    questions,
    connectsPrice: 16,
    form: { ...EMPTY_BID_FORM, setup: NIGHT.id, marketplaceJobId: '~0123456789', ...form },
    parts: 1,
    seen: {},
    shownBids: {},
    shown: 0,
    asks: 0,
    at: NOW,
    ...change,
  };
}

function facts(change: Partial<BidFormFacts> = {}): BidFormFacts {
  return {
    draft: draft(),
    setups: { setups: [NIGHT], readAt: NOW },
    bids: [],
    jobIds: ['0123456789'],
    ...change,
  };
}

const FULL: Partial<BidForm> = {
  projectId: '12',
  bidAmount: '$1,500',
  boostConnects: '10',
  when: 'at',
  at: NOW + 7_200_000,
  coverLetter: ' Hello\n\nthere ',
  answers: ['Tomorrow', ' Three\n'],
};

const viewOf = (of: BidDraft) => bidFormView(facts({ draft: of }));

describe('the inputs', () => {
  it.each([
    ['of a filled form', draft({}, FULL)],
    ['of a form with an inserted letter', draft({ insertedLetter: { revision: 2, letter: 'x' } }, FULL)],
  ])('%s give back every sign that was typed', (_, filled) => {
    expect(parseBidForm(filledIn(viewOf(filled)), filled)).toEqual(filled.form);
  });

  it('ask for minutes or a moment where that is chosen, and keep what stands in the other', () => {
    const minutes = draft({}, { when: 'in-minutes', inMinutes: '30', at: NOW + 60_000 });
    const view = viewOf(minutes);
    expect(inputIds(view)).toContain('in_minutes');
    expect(inputIds(view)).not.toContain('at');
    const switched = new Map(filledIn(view)).set('when', { option: 'at' });
    expect(parseBidForm(switched, minutes)).toMatchObject({ when: 'at', inMinutes: '30', at: NOW + 60_000 });
  });

  it('ask for the ID first where nothing names the project', () => {
    for (const marketplaceJobId of ['', 'the react one'])
      expect(inputIds(viewOf(draft({}, { marketplaceJobId }))).slice(0, 2)).toEqual(['job_id', 'project_id']);
    expect(inputIds(viewOf(draft()))).not.toContain('job_id');
  });

  it('of a letter that was inserted into a form begun afresh are read, too', () => {
    const again = draft({ afresh: 1, insertedLetter: { revision: 2, letter: 'x' } }, { coverLetter: 'x' });
    expect(parseBidForm(filledIn(viewOf(again)), again).coverLetter).toBe('x');
  });

  it('begun afresh are others, in which nothing of before can stand', () => {
    const before = inputIds(viewOf(draft({ parts: 2 }, FULL)));
    const anew = inputIds(viewOf(draft({ afresh: 1, parts: 2 }, { ...FULL, when: 'at' })));
    expect(anew).toHaveLength(before.length);
    expect(anew.filter((id) => before.includes(id))).toEqual([]);
  });

  it('are read as they stand on the screen, also on one from before', () => {
    const anew = draft({ afresh: 2 }, { when: 'at', at: NOW });
    const values = filledIn(viewOf(anew), {
      'bid_amount@2': { text: '20' },
      'cover_letter@2': { text: 'a' },
      'cover_letter@2~2': { text: 'b' },
    });
    expect(parseBidForm(values, anew)).toMatchObject({ bidAmount: '20', coverLetter: 'ab', when: 'at' });
    const [where] = Object.keys(bidFormErrors([{ field: 'answer:1', message: 'B.' }], anew, values));
    expect(inputIds(viewOf(anew))).toContain(where);
    const old = filledIn(viewOf(draft({}, FULL)));
    expect(parseBidForm(old, anew)).toMatchObject({
      bidAmount: FULL.bidAmount,
      coverLetter: FULL.coverLetter,
    });
    expect(bidFormErrors([{ field: 'setup', message: 'A.' }], anew, old)).toEqual({ setup: 'A.' });
  });
});

it('mistakes stand at their fields; at the nearest where their own is not shown', () => {
  const mistakes = [
    { field: 'setup', message: 'A.' },
    { field: 'answer:1', message: 'B.' },
    { field: 'when', message: 'C.' },
    { field: 'at', message: 'D.' },
  ] as const;
  expect(bidFormErrors(mistakes, draft())).toEqual({ setup: 'A.', answer_1: 'B.', when: 'C. D.' });
  expect(bidFormErrors(mistakes, draft({}, { when: 'at' }))).toMatchObject({ when: 'C.', at: 'D.' });
});

/** A screen and the draft behind it. Slack keeps an input's text while its block stays. */
class Screen {
  draft = draft({ questions: [] });
  readonly #texts = new Map<string, string>();

  constructor() {
    this.#redraw();
  }

  #redraw(): void {
    const view = viewOf(this.draft);
    const shown = filledIn(view);
    const ids = inputIds(view).filter((id) => id.startsWith('cover_letter'));
    const texts = ids.map((id) => [id, this.#texts.get(id) ?? shown.get(id)?.text ?? ''] as const);
    this.#texts.clear();
    for (const [id, text] of texts) this.#texts.set(id, text);
  }

  /** Types into the letter's inputs, from the first on. */
  type(...texts: readonly string[]): void {
    const ids = [...this.#texts.keys()];
    for (const [place, text] of texts.slice(0, ids.length).entries()) this.#texts.set(ids[place] ?? '', text);
  }

  /** A press: saves what stands there, changes the draft, and shows the form again. */
  press(change: (draft: BidDraft) => BidDraft = (it) => it): void {
    const values = new Map(filledIn(viewOf(this.draft)));
    for (const [id, text] of this.#texts) {
      if (text === '') values.delete(id);
      else values.set(id, { text });
    }
    const form = parseBidForm(values, this.draft);
    const saved = { ...this.draft, form };
    this.draft = change(shouldRebuildInputs(this.draft, saved) ? recreateDraftInputs(saved) : saved);
    this.#redraw();
  }

  get inputs(): readonly string[] {
    return [...this.#texts.keys()];
  }

  get letter(): string {
    return [...this.#texts.values()].join('');
  }
}

describe('a long letter', () => {
  /** Words that can't be split where an input is full, so they need another input. */
  const BRIM = `${'a'.repeat(2_990)}${' '.repeat(10)}`;

  it('is shown once where it fills its inputs to the brim, and when it is shortened', () => {
    const screen = new Screen();
    screen.press(splitLongTextInputs);
    screen.type(BRIM, BRIM, BRIM, BRIM);
    screen.press();
    expect(screen.inputs).toHaveLength(5);
    expect(screen.letter).toBe(BRIM.repeat(4));
    screen.type('Short. ');
    const typed = screen.letter;
    screen.press();
    expect(screen.inputs).toHaveLength(4);
    expect([screen.letter, screen.draft.form.coverLetter]).toEqual([typed, typed]);
  });

  it('keeps its inputs as long as their number stays, so that what is typed meanwhile stays', () => {
    const screen = new Screen();
    const { inputs } = screen;
    screen.type('Hello');
    screen.press();
    screen.press(splitLongTextInputs);
    screen.type('Hello', 'x'.repeat(2_000));
    screen.press();
    expect(screen.inputs).toEqual(expect.arrayContaining([...inputs]));
  });

  it('is shown and stored exactly as typed, whatever is typed and pressed', () => {
    const pieces = fc.constantFrom('a', '😀', '👨‍👩‍👧‍👦', ' ', 'word ');
    const part = fc
      .tuple(pieces, fc.constantFrom(0, 7, 2_999, 3_000, 3_000))
      .map(([piece, length]) => piece.repeat(length).slice(0, length));
    const turn = fc.record({ texts: fc.array(part, { minLength: 1, maxLength: 4 }), more: fc.boolean() });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => {
        const screen = new Screen();
        for (const { texts, more } of turns) {
          screen.type(...texts);
          const typed = screen.letter;
          screen.press(more ? splitLongTextInputs : undefined);
          expect([screen.letter, screen.draft.form.coverLetter]).toEqual([typed, typed]);
        }
      }),
    );
  });
});

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
    bid: plainBid(7, {
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
    const template = parseProposalTemplate({
      id: 12,
      name: names.join(''),
      ab_testing: true,
      cover_letters: { variant_a: text, variant_b: text },
      ai: { template_structure: true },
    });
    return {
      ...standing,
      letters,
      template: { kind: 'read', template: ProposalTemplate.parse(template) },
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
        accepted(view);
        expect(parseBidForm(filledIn(view), filled)).toEqual(filled.form);
      }
    }
  });

  it('shows every answer of plain text, and says which questions it has no room for', () => {
    const view = bidFormView(facts({ draft: largest(letters.plain, QUESTION, 2), setups: { setups } }));
    expect(inputIds(view).filter((id) => /^answer_\d+$/u.test(id))).toHaveLength(30);
    const notes = JSON.stringify(view).match(/\b20 more/gu);
    expect(notes).toHaveLength(1);
  });

  it('says of an answer that does not fit that it is kept, and sends it', () => {
    const view = bidFormView(facts({ draft: largest(letters.wide, QUESTION, 2), setups: { setups } }));
    expect(JSON.stringify(view)).toContain('Your answer (5,000 characters) is saved and will be sent');
  });

  it('fits even where every text is over the limit', () => {
    const filled = largest('x'.repeat(9_999), QUESTION, 2);
    const view = bidFormView(facts({ draft: filled, setups: { setups }, ...surroundings(letters.wide) }));
    accepted(view);
    expect(parseBidForm(filledIn(view), filled)).toEqual(filled.form);
  });
});

const HOSTILE = [
  '<!channel> <@U0ANA>',
  '<https://evil.example|Pay here>',
  '\u202Egnp.exe\u0000',
  '&<>'.repeat(7_000),
  '😀'.repeat(400),
  'x'.repeat(20_000),
  '',
];

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
                {
                  bid: plainBid(7, {
                    title,
                    setupName: name,
                    state,
                    refusal: { code: name, serverMessage: name },
                  }),
                },
              ],
              budget: { type: name, amount: name },
            }),
          );
          accepted(view);
        },
      ),
      { numRuns: 60 },
    );
  });
});
