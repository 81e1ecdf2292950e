import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bid, type BidDraft, type BidForm, EMPTY_FORM } from '../../../src/bidding/records.ts';
import { DraftId, SetupId, TemplateId } from '../../../src/ids.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { errorsOf, readBidForm, shownBeginning } from '../../../src/slack/views/bid-fields.ts';
import { bidFormView } from '../../../src/slack/views/bid-form.ts';
import type { BidFormFacts } from '../../../src/slack/views/bid-form-facts.ts';
import { bid as bidOfAna, HOSTILE, JOB, job } from '../messages/bidding-samples.ts';
import { ANA, BEN, CHANNEL, listed, NOW, TEAM } from '../samples.ts';
import { expectHarmlessView, filledIn, initialOf, inputIds, viewWords } from './harmless-view.ts';

const NIGHT: BiddingSetup = {
  id: SetupId.parse(7),
  name: 'Night shift',
  status: 'active',
  template: { id: TemplateId.parse(3), name: 'Shops' },
  scheduleLabel: 'Mon–Fri 9–17',
  timezone: 'Europe/Oslo',
  delayMinutes: 5,
  dailyLimit: 20,
  sentToday: 3,
};

function bid(change: Partial<Bid> = {}): Bid {
  return bidOfAna({ by: BEN, ...change });
}

function draft(change: Partial<BidDraft> = {}, form: Partial<BidForm> = {}): BidDraft {
  const { key, title, url, questions } = listed();
  return {
    team: TEAM,
    user: ANA,
    id: DraftId.parse('abcdefghijklmnop12345678'),
    channel: CHANNEL,
    project: key,
    title,
    url,
    questions,
    connectsPrice: 16,
    form: { ...EMPTY_FORM, setup: NIGHT.id, marketplaceJobId: '~0123456789', ...form },
    parts: 1,
    seen: {},
    at: NOW,
    ...change,
  };
}

function facts(change: Partial<BidFormFacts> = {}): BidFormFacts {
  return { draft: draft(), setups: { setups: [NIGHT], readAt: NOW }, bids: [], ...change };
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

describe('the form', () => {
  it('asks for everything that a bid may say, the setup first', () => {
    const view = bidFormView(facts());
    expect(inputIds(view)).toEqual([
      'setup',
      'bid_amount',
      'boost',
      'when',
      'cover_letter',
      'answer_0',
      'answer_1',
      'job_id',
      'project_id',
    ]);
    expect(viewWords(view)).toContain('When could you begin?');
    expect(initialOf(view, 'job_id')).toBe('~0123456789');
    expectHarmlessView(view);
  });

  it('carries the draft alone, and tells when it is closed', () => {
    const view = bidFormView(facts());
    expect(view).toMatchObject({
      private_metadata: 'abcdefghijklmnop12345678.0',
      notify_on_close: true,
      callback_id: 'bid',
    });
  });

  it('gives back every sign that was typed', () => {
    const filled = draft({}, FULL);
    const view = bidFormView(facts({ draft: filled }));
    expect(readBidForm(filledIn(view), filled)).toEqual(filled.form);
  });

  it('asks for minutes or a moment only where that is chosen, and keeps what stands in the other', () => {
    const minutes = draft({}, { when: 'in-minutes', inMinutes: '30', at: NOW + 60_000 });
    const view = bidFormView(facts({ draft: minutes }));
    expect(inputIds(view)).toContain('in_minutes');
    expect(inputIds(view)).not.toContain('at');
    const switched = new Map(filledIn(view)).set('when', { option: 'at' });
    expect(readBidForm(switched, minutes)).toMatchObject({ when: 'at', inMinutes: '30', at: NOW + 60_000 });
  });

  it('has room for longer texts, under the same ids', () => {
    const once = bidFormView(facts());
    const twice = bidFormView(facts({ draft: draft({ parts: 2 }) }));
    expect(viewWords(once)).toContain('Room for longer texts');
    expect(viewWords(twice)).not.toContain('Room for longer texts');
    expect(inputIds(twice)).toEqual(expect.arrayContaining(inputIds(once)));
    expect(inputIds(twice)).toEqual(expect.arrayContaining(['cover_letter~2', 'answer_1~2']));
  });

  it('says what it costs in connects, where that is known', () => {
    const words = (form: Partial<BidForm>, change: Partial<BidDraft> = {}) =>
      viewWords(bidFormView(facts({ draft: draft(change, form) })));
    expect(words({})).toContain('Costs 16 connects; a boost comes on top');
    expect(words({ boostConnects: '10' })).toContain(
      'Costs 26 connects: 16 for the bid and 10 for the boost',
    );
  });

  it('leads with the title, what the client pays and what the bid costs', () => {
    const budget = { type: 'Hourly', amount: '$40 - $60' };
    const view = bidFormView(facts({ budget, note: 'A note' }));
    expect(viewWords(view).split('\n').slice(0, 6)).toEqual([
      'Bid on a project',
      listed().title,
      'Open project',
      'The client pays $40 - $60 hourly · costs 16 connects; a boost comes on top',
      'A note',
      'Setup',
    ]);
  });

  it('asks for the job id first where nothing names the project', () => {
    for (const marketplaceJobId of ['', 'the react one'])
      expect(inputIds(bidFormView(facts({ draft: draft({}, { marketplaceJobId }) }))).slice(0, 3)).toEqual([
        'job_id',
        'project_id',
        'setup',
      ]);
  });

  it('offers to look up what is not known, for a credit at most', () => {
    const { questions: _q, connectsPrice: _p, ...unknown } = draft();
    const view = bidFormView(facts({ draft: unknown }));
    expect(viewWords(view)).toContain('screening questions and its price in connects are not known');
    expect(viewWords(view)).toContain('Look up (1 credit at most)');
    expect(viewWords(bidFormView(facts()))).not.toContain('Look up');
  });

  it('names the amount as the project pays', () => {
    const label = (type: string) => viewWords(bidFormView(facts({ budget: { type } })));
    expect(label('Hourly')).toContain('Hourly rate, in $');
    expect(label('Fixed')).toContain('Bid for the fixed price, in $');
    expect(label('Barter')).toContain('Bid amount, in $ (hourly or fixed)');
  });
});

describe('a form that is opened again', () => {
  const resumed = draft({ resumedFrom: NOW - 180_000 }, FULL);

  it('says that it goes on with what was typed, and offers to start afresh, which asks first', () => {
    const view = bidFormView(facts({ draft: resumed }));
    expect(viewWords(view)).toContain(
      `:pencil2: This goes on with what you typed <!date^${NOW / 1_000 - 180}^{ago}|20 Nov 2026, 08:57 UTC>.`,
    );
    expect(JSON.stringify(view)).toContain('What you typed into this form is thrown away.');
    expectHarmlessView(view);
    expect(viewWords(bidFormView(facts()))).not.toContain('Start afresh');
  });

  it('begun afresh has inputs of its own, in which nothing of before can stand', () => {
    const before = inputIds(bidFormView(facts({ draft: { ...resumed, parts: 2 } })));
    const anew = draft({ afresh: 1, parts: 2 }, { ...FULL, when: 'at' });
    const view = bidFormView(facts({ draft: anew }));
    expect(inputIds(view)).toHaveLength(before.length);
    expect(inputIds(view).filter((id) => before.includes(id))).toEqual([]);
    expectHarmlessView(view);
  });

  it('is read as it stands on the screen, and its mistakes stand at the inputs that are there', () => {
    const anew = draft({ afresh: 2 }, { when: 'at', at: NOW });
    const view = bidFormView(facts({ draft: anew }));
    const values = filledAfresh(view);
    expect(readBidForm(values, anew)).toMatchObject({
      bidAmount: '20',
      coverLetter: 'ab',
      when: 'at',
      at: NOW,
    });
    const [where] = Object.keys(
      errorsOf([{ field: 'answer:1', sentence: 'B.' }], anew, shownBeginning(values)),
    );
    expect(inputIds(view)).toContain(where);
  });

  it('shown on another screen as it was before is read as it stands there', () => {
    const old = bidFormView(facts({ draft: draft({}, FULL) }));
    const values = filledIn(old);
    expect(readBidForm(values, draft({ afresh: 1 }))).toMatchObject({
      bidAmount: '$1,500',
      coverLetter: ' Hello\n\nthere ',
    });
    expect(
      errorsOf([{ field: 'setup', sentence: 'A.' }], draft({ afresh: 1 }), shownBeginning(values)),
    ).toEqual({
      setup: 'A.',
    });
  });
});

function filledAfresh(view: ReturnType<typeof bidFormView>) {
  return filledIn(view, {
    'when@2': { option: 'at' },
    'at@2': { at: NOW },
    'bid_amount@2': { text: '20' },
    'cover_letter@2': { text: 'a' },
    'cover_letter@2~2': { text: 'b' },
    'setup@2': { option: '7' },
  });
}

describe('how things stand', () => {
  it('says who claimed the project', () => {
    const words = (by: typeof ANA) => viewWords(bidFormView(facts({ claim: { by, at: NOW } })));
    expect(words(BEN)).toContain(`Claimed by <@${BEN}>`);
    expect(words(ANA)).toContain('You claimed this project');
  });

  it('shows the bid of the chosen setup, and that there is one for each', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ job: JOB }), job: job() }] }));
    expect(viewWords(view)).toContain('choose another setup to bid again');
    expect(viewWords(view)).toContain('(job #12)');
    expectHarmlessView(view);
  });

  it('asks to check a bid without an answer first', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ state: 'unknown' }) }] }));
    expect(viewWords(view)).toContain('Check first; sending makes it attempt 2.');
    expect(JSON.stringify(view)).toContain('"action_id":"bid_check"');
  });

  it('shows bids of other setups in a line each', () => {
    const other = bid({ request: { setup: SetupId.parse(8), marketplaceJobId: '~0123456789' } });
    const bids = [{ bid: { ...other, id: '8:0123456789' as never, setupName: 'Day' } }];
    expect(viewWords(bidFormView(facts({ bids })))).toContain('with Day');
  });
});

describe('the setup', () => {
  const words = (change: Partial<BiddingSetup>, more: Partial<BidFormFacts> = {}) =>
    viewWords(bidFormView(facts({ setups: { setups: [{ ...NIGHT, ...change }] }, ...more })));

  it('tells its template, schedule, delay and what it sent today', () => {
    expect(words({})).toContain(
      'Template: Shops · Schedule: Mon–Fri 9–17 (Europe/Oslo) · waits 5 minutes before it bids · sent today: 3 of 20',
    );
  });

  it('is marked where it may not bid', () => {
    const marked = words({ status: 'Paused', sentToday: 20 });
    expect(marked).toContain('paused · daily limit used up (20 of 20)');
    expect(marked).toContain('Its status is “paused”');
    const { template: _none, ...bare } = NIGHT;
    expect(viewWords(bidFormView(facts({ setups: { setups: [bare] } })))).toContain(
      'a cover letter of its own',
    );
  });

  it('is said to be ineligible where its template sends as a freelancer, or is not found', () => {
    expect(words({}, { template: 'freelancer-sender' })).toContain('not eligible for auto bidding');
    expect(words({}, { template: 'not-found' })).toContain(
      'does not find its template. If it was deleted, write a cover letter or choose another setup.',
    );
  });

  it('that has vanished is said to be gone, and nothing stays chosen', () => {
    const view = bidFormView(facts({ setups: { setups: [{ ...NIGHT, id: SetupId.parse(8) }] } }));
    expect(viewWords(view)).toContain('Setup 7 is not there any more');
    expect(initialOf(view, 'setup')).toBeUndefined();
  });

  it('is among the 100 of the menu when it is chosen, and the others are counted', () => {
    const setups = Array.from({ length: 130 }, (_, n) => ({
      ...NIGHT,
      id: SetupId.parse(n + 1),
      name: `Setup ${String(n + 1).padStart(3, '0')}`,
    }));
    const chosen = draft({}, { setup: SetupId.parse(130) });
    const view = bidFormView(facts({ draft: chosen, setups: { setups } }));
    expect(initialOf(view, 'setup')).toBe('130');
    expect(viewWords(view)).toContain('30 more are not in this menu: /gig bid <link> <setup id> takes any.');
    expectHarmlessView(view);
  });
});

describe('mistakes', () => {
  it('stand at their fields; at the nearest where their own is not shown', () => {
    const mistakes = [
      { field: 'setup', sentence: 'A.' },
      { field: 'answer:1', sentence: 'B.' },
      { field: 'when', sentence: 'C.' },
      { field: 'at', sentence: 'D.' },
    ] as const;
    expect(errorsOf(mistakes, draft())).toEqual({ setup: 'A.', answer_1: 'B.', when: 'C. D.' });
    expect(errorsOf(mistakes, draft({}, { when: 'at' }))).toMatchObject({ when: 'C.', at: 'D.' });
  });
});

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
    dailyLimit: 1,
    sentToday: 1_000_000,
    scheduleLabel: names[n % names.length] ?? '',
    template: { id: TemplateId.parse(1), name: names[n % names.length] ?? '' },
  }));

  function largest(text: string, question: string, parts: number): BidDraft {
    const form = { ...FULL, coverLetter: text, answers: Array.from({ length: 30 }, () => text) };
    const questions = Array.from({ length: 42 }, (_, n) => `${n} ${question}`.slice(0, 500));
    return draft({ questions, parts, title: 'x'.repeat(20_000) }, form);
  }

  it.each(Object.entries(letters))('fits into a modal, and no sign of it is lost: %s', (_, text) => {
    for (const question of [QUESTION, '汉'.repeat(500), '"'.repeat(500)]) {
      for (const parts of [1, 2]) {
        const filled = largest(text, question, parts);
        const view = bidFormView(facts({ draft: filled, setups: { setups }, note: 'x'.repeat(2_000) }));
        expectHarmlessView(view);
        expect(readBidForm(filledIn(view), filled)).toEqual(filled.form);
      }
    }
  });

  it('shows every answer of plain text, and says which questions it has no room for', () => {
    const view = bidFormView(facts({ draft: largest(letters.plain, QUESTION, 2), setups: { setups } }));
    expect(inputIds(view).filter((id) => /^answer_\d+$/u.test(id))).toHaveLength(30);
    expect(viewWords(view)).toContain('The project asks 12 more');
    expect(viewWords(view)).not.toContain('does not fit');
  });

  it('says of an answer that does not fit that it is kept, and sends it', () => {
    const view = bidFormView(facts({ draft: largest(letters.wide, QUESTION, 2), setups: { setups } }));
    expect(viewWords(view)).toContain('Your answer of 5,000 characters is kept and will be sent');
  });

  it('fits even where every text is over the limit', () => {
    const filled = largest('x'.repeat(5_999), QUESTION, 2);
    expectHarmlessView(bidFormView(facts({ draft: filled, setups: { setups } })));
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
