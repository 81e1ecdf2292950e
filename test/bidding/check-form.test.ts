import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BidForm, EMPTY_BID_FORM } from '../../src/bidding/draft-records.ts';
import { BidRequest } from '../../src/bidding/records.ts';
import { type BidFormValidationInput, validateBidForm } from '../../src/bidding/validate-bid-form.ts';
import { MINUTE } from '../../src/clock.ts';
import { ProjectKey, SetupId } from '../../src/ids.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const SETUP = SetupId.parse(7);
const facts: BidFormValidationInput = {
  project: ProjectKey.parse('url:marketplace.example/shop'),
  questions: [],
  setups: [{ id: SETUP, name: 'Night shift', status: 'paused' }],
  now: NOW,
};
const GOOD: BidForm = { ...EMPTY_BID_FORM, setup: SETUP, marketplaceJobId: '~0123456789' };

function check(change: Partial<BidForm>, more: Partial<BidFormValidationInput> = {}) {
  return validateBidForm({ ...GOOD, ...change }, { ...facts, ...more });
}

/** The request made from a form, or the invalid fields. */
function outcome(change: Partial<BidForm>, more: Partial<BidFormValidationInput> = {}) {
  const checked = check(change, more);
  return checked.kind === 'ok' ? checked.request : checked.mistakes.map(({ field }) => field);
}

describe('a form that names setup and job alone', () => {
  it('makes a request of these two, so that the setup decides the rest', () => {
    expect(outcome({})).toEqual({ setup: 7, marketplaceJobId: '~0123456789' });
  });
});

describe('the setup', () => {
  it('must be chosen', () => {
    const { setup: _none, ...rest } = GOOD;
    const checked = validateBidForm(rest, facts);
    expect(checked).toMatchObject({ kind: 'mistakes', mistakes: [{ field: 'setup' }] });
  });

  it('must still be there', () => {
    const checked = check({}, { setups: [] });
    expect(checked).toMatchObject({ mistakes: [{ field: 'setup' }] });
  });
});

describe('the marketplace job id', () => {
  const project = ProjectKey.parse('~0123456789');

  it.each(['~0123456789', '0123456789', 'https://www.marketplace.example/jobs/~0123456789'])(
    '%j names the project that the form is about, and is sent as its link has it',
    (typed) =>
      expect(outcome({ marketplaceJobId: typed }, { project })).toEqual({
        setup: 7,
        marketplaceJobId: '~0123456789',
      }),
  );

  it.each(['~9', '9', 'https://www.marketplace.example/jobs/~9', 'abc'])(
    '%j names another, which is not bid on from here',
    (typed) => {
      const checked = check({ marketplaceJobId: typed }, { project });
      expect(checked).toMatchObject({ mistakes: [{ field: 'marketplaceJobId' }] });
      expect(JSON.stringify(checked)).toContain('/gig bid');
    },
  );

  it.each([
    ['~0123456789', '~0123456789'],
    ['  ~0123456789 ', '~0123456789'],
    ['0123456789', '0123456789'],
    ['https://www.marketplace.example/jobs/~0123456789?a=1', '~0123456789'],
    ['<https://www.marketplace.example/jobs/Shop_~0123456789/|Shop>', '~0123456789'],
    ['https://www.marketplace.example/open?job_uid=4711', '4711'],
    ['abc_DEF-9', 'abc_DEF-9'],
    ['a'.repeat(100), 'a'.repeat(100)],
  ])('%j is the job %j', (typed, marketplaceJobId) => {
    expect(outcome({ marketplaceJobId: typed })).toEqual({ setup: 7, marketplaceJobId });
  });

  it.each([
    '',
    '   ',
    '\u200b',
    'two words',
    'a'.repeat(101),
    '~',
    '-_~',
    'https://www.example.com/',
    'jöb',
    '#12',
  ])('%j is none', (marketplaceJobId) => expect(outcome({ marketplaceJobId })).toEqual(['marketplaceJobId']));
});

describe('the project id', () => {
  it.each([
    ['1', 1],
    [' 4711 ', 4711],
    ['4,711', 4711],
  ])('%j is %j', (projectId, number) => expect(outcome({ projectId })).toMatchObject({ projectId: number }));

  it.each(['0', '-1', '1.5', 'abc', '~1', '99999999999999999999'])('%j is none', (projectId) =>
    expect(outcome({ projectId })).toEqual(['projectId']),
  );
});

describe('the bid amount', () => {
  it.each([
    ['5', 5],
    ['5.00', 5],
    ['1500', 1500],
    ['1,500', 1500],
    ['$1,500', 1500],
    ['$ 1 500.50', 1500.5],
    ['  35.5 ', 35.5],
    ['1\u00a0500', 1500],
    ['1000000', 1_000_000],
    ['1,000,000.00', 1_000_000],
  ])('%j is %j', (bidAmount, amount) => expect(outcome({ bidAmount })).toMatchObject({ bidAmount: amount }));

  it.each([
    '4.99',
    '0',
    '-5',
    '1000000.01',
    '1000001',
    '5.001',
    '1,5',
    '1,50,0',
    '5 000 00',
    '5e3',
    'NaN',
    'much',
    '$',
  ])('%j is none', (bidAmount) => expect(outcome({ bidAmount })).toEqual(['bidAmount']));
});

describe('the boost', () => {
  it.each([
    ['1', 1],
    ['25 ', 25],
    ['1,000', 1000],
  ])('%j is %j connects', (boostConnects, boost) =>
    expect(outcome({ boostConnects })).toMatchObject({ boostConnects: boost }),
  );

  it.each(['0', '00'])('%j is a boost of none, and is sent as that', (boostConnects) =>
    expect(outcome({ boostConnects })).toMatchObject({ boostConnects: 0 }),
  );

  it.each(['', ' '])('%j sends none', (boostConnects) =>
    expect(outcome({ boostConnects })).toEqual({ setup: 7, marketplaceJobId: '~0123456789' }),
  );

  it.each(['-1', '1.5', 'ten', '99999999999999999'])('%j is a mistake', (boostConnects) =>
    expect(outcome({ boostConnects })).toEqual(['boostConnects']),
  );
});

describe('when', () => {
  it.each([
    ['15', 15],
    ['60', 60],
    [' 30 ', 30],
  ])('in %j minutes', (inMinutes, minutes) =>
    expect(outcome({ when: 'in-minutes', inMinutes })).toMatchObject({ scheduledInMinutes: minutes }),
  );

  it.each(['', '14', '61', '15.5', '-20', 'soon'])('not in %j minutes', (inMinutes) =>
    expect(outcome({ when: 'in-minutes', inMinutes })).toEqual(['inMinutes']),
  );

  it.each([MINUTE, MINUTE + 1, 400 * 24 * 60 * MINUTE])('at a moment %d ms from now', (ahead) =>
    expect(outcome({ when: 'at', at: NOW + ahead })).toMatchObject({ scheduledAt: NOW + ahead }),
  );

  it.each([MINUTE - 1, 0, -1, -MINUTE])('not at a moment %d ms from now', (ahead) =>
    expect(outcome({ when: 'at', at: NOW + ahead })).toEqual(['at']),
  );

  it('not at no moment', () => expect(outcome({ when: 'at' })).toEqual(['at']));

  it('sends the moment alone where both are filled in, and what is not chosen is not looked at', () => {
    const both = { inMinutes: '30', at: NOW + 2 * MINUTE };
    expect(outcome({ ...both, when: 'at' })).toEqual({
      setup: 7,
      marketplaceJobId: '~0123456789',
      scheduledAt: NOW + 2 * MINUTE,
    });
    expect(outcome({ when: 'as-set-up', inMinutes: '3', at: NOW - 1 })).toEqual(outcome({}));
  });
});

describe('the cover letter', () => {
  it('goes out exactly as typed, up to 10,000 characters counted as people do', () => {
    const letter = ` ${'😀'.repeat(9_998)}\n`;
    expect(outcome({ coverLetter: letter })).toMatchObject({ coverLetter: letter });
  });

  it('is told how much too long it is', () => {
    const checked = check({ coverLetter: 'x'.repeat(10_012) });
    expect(JSON.stringify(checked)).toMatch(/ 10,012 .*\b12 .* 10,000\b/u);
  });

  it.each(['\n', '   ', '\u200b \u3164'])('is no letter of blanks: %j', (coverLetter) =>
    expect(outcome({ coverLetter })).toEqual(['coverLetter']),
  );
});

describe('answers', () => {
  const questions = ['When?', 'Where?', 'Why?'];

  it.each([[[]], [['', '', '']]])('%j are none: the template answers', (answers) =>
    expect(outcome({ answers }, { questions })).toEqual(outcome({})),
  );

  it('of blanks alone are no answers, and not none either', () =>
    expect(outcome({ answers: [' ', '\n', ''] }, { questions })).toEqual([
      'answer:0',
      'answer:1',
      'answer:2',
    ]));

  it('go out with their questions, exactly as typed', () => {
    const answers = [' now\n', 'here', 'x'.repeat(6_000)];
    expect(outcome({ answers }, { questions })).toMatchObject({
      answers: questions.map((question, place) => ({ question, answer: answers[place] })),
    });
  });

  it('are all or none: each empty one is named', () => {
    expect(outcome({ answers: ['', 'here'] }, { questions })).toEqual(['answer:0', 'answer:2']);
  });

  it('are told which is too long', () => {
    expect(outcome({ answers: ['now', 'x'.repeat(6_001), 'so'] }, { questions })).toEqual(['answer:1']);
  });

  it('to questions that are not known any more stay behind', () => {
    expect(outcome({ answers: ['now', 'here'] }, { questions: [] })).toEqual(outcome({}));
  });
});

describe('any form', () => {
  const form: fc.Arbitrary<BidForm> = fc
    .record({
      setup: fc.constantFrom(SETUP, SetupId.parse(8), undefined),
      marketplaceJobId: fc.oneof(fc.string(), fc.constant('~1')),
      projectId: fc.oneof(fc.string(), fc.nat().map(String)),
      bidAmount: fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)),
      boostConnects: fc.oneof(fc.string(), fc.integer().map(String)),
      when: fc.constantFrom('as-set-up', 'in-minutes', 'at'),
      inMinutes: fc.oneof(fc.string(), fc.integer({ min: 0, max: 80 }).map(String)),
      at: fc.option(fc.integer({ min: NOW - 2 * MINUTE, max: NOW + 3 * MINUTE }), { nil: undefined }),
      coverLetter: fc.oneof(
        fc.string(),
        fc.integer({ min: 4_990, max: 5_010 }).map((size) => 'é'.repeat(size)),
      ),
      answers: fc.array(fc.string(), { maxLength: 4 }),
    })
    .map((it) => JSON.parse(JSON.stringify(it)) as BidForm);

  it('has mistakes, each once at its field, or a request within the bounds of the API', () => {
    fc.assert(
      fc.property(form, fc.array(fc.string(), { maxLength: 3 }), (filled, questions) => {
        const checked = validateBidForm(filled, { ...facts, questions });
        if (checked.kind === 'mistakes') {
          const fields = checked.mistakes.map(({ field }) => field);
          expect(fields.length).toBeGreaterThan(0);
          expect(new Set(fields).size).toBe(fields.length);
          return;
        }
        const request = BidRequest.parse(checked.request);
        expect(request.setup).toBe(SETUP);
        expect(request.bidAmount ?? 5).toBeGreaterThanOrEqual(5);
        expect(request.bidAmount ?? 5).toBeLessThanOrEqual(1_000_000);
        expect(request.boostConnects ?? 0).toBeGreaterThanOrEqual(0);
        expect([undefined, filled.at]).toContain(request.scheduledAt);
        expect(request.scheduledAt ?? NOW + MINUTE).toBeGreaterThanOrEqual(NOW + MINUTE);
        expect(request.scheduledInMinutes ?? 15).toBeGreaterThanOrEqual(15);
        expect(request.scheduledInMinutes ?? 15).toBeLessThanOrEqual(60);
        expect(request.scheduledAt === undefined || request.scheduledInMinutes === undefined).toBe(true);
        expect([undefined, filled.coverLetter]).toContain(request.coverLetter);
        expect([undefined, questions.length]).toContain(request.answers?.length);
      }),
    );
  });
});

describe('everything wrong at once', () => {
  it('is told at once, in the order of the form', () => {
    const { setup: _none, ...rest } = GOOD;
    const wrong: BidForm = {
      ...rest,
      marketplaceJobId: '',
      projectId: 'x',
      bidAmount: '4',
      boostConnects: '-1',
      when: 'in-minutes',
      inMinutes: '5',
      coverLetter: ' ',
      answers: ['yes', ''],
    };
    const checked = validateBidForm(wrong, { ...facts, questions: ['A?', 'B?'] });
    expect(checked.kind === 'mistakes' && checked.mistakes.map(({ field }) => field)).toEqual([
      'setup',
      'marketplaceJobId',
      'projectId',
      'bidAmount',
      'boostConnects',
      'inMinutes',
      'coverLetter',
      'answer:1',
    ]);
  });
});
