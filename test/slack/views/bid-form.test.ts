/** The bid form asks for all that a bid may say, and gives back what was typed, also when it is opened again. */
import { describe, expect, it } from 'vitest';
import type { BidDraft, BidForm } from '../../../src/bidding/records.ts';
import { errorsOf, readBidForm, shownBeginning } from '../../../src/slack/views/bid-fields.ts';
import { bidFormView } from '../../../src/slack/views/bid-form.ts';
import { listed, NOW } from '../samples.ts';
import { draft, FULL, facts } from './bid-form-facts.ts';
import { expectHarmlessView, filledIn, initialOf, inputIds, viewWords } from './harmless-view.ts';

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

  it('warns before a bid on a project that is for US or UK freelancers only', () => {
    const words = (change: Partial<BidDraft>) => viewWords(bidFormView(facts({ draft: draft(change) })));
    expect(words({ usOnly: true })).toContain('US only');
    expect(words({ usOnly: false, ukOnly: true })).toContain('UK only');
    expect(words({ usOnly: true, ukOnly: true })).toContain('US and UK only');
    for (const open of [{}, { usOnly: false, ukOnly: false }]) expect(words(open)).not.toContain(' only.');
  });

  it('names the amount as the project pays', () => {
    const label = (type: string) => viewWords(bidFormView(facts({ budget: { type } })));
    expect(label('Hourly')).toContain('Hourly rate, in $');
    expect(label('Fixed')).toContain('Bid for the fixed price, in $');
    expect(label('Barter')).toContain('Bid amount, in $ (hourly or fixed)');
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
