/** The bid form has all fields of a bid, and restores typed text when reopened. */
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import type { BidDraft, BidForm } from '../../../src/bidding/draft-records.ts';
import { bidFormErrors, parseBidForm } from '../../../src/slack/bids/bid-fields.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { actionsOf, expectHarmlessView, filledIn, inputIds, viewWords } from '../kit/harmless-view.ts';
import { listed, NOW } from '../samples.ts';
import { draft, FULL, facts } from './bid-form-facts.ts';

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
    ]);
    expect(viewWords(view)).toContain(listed().questions[0]);
    expect(viewWords(view)).toMatchSnapshot();
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
    expect(parseBidForm(filledIn(view), filled)).toEqual(filled.form);
  });

  it('asks for minutes or a moment only where that is chosen, and keeps what stands in the other', () => {
    const minutes = draft({}, { when: 'in-minutes', inMinutes: '30', at: NOW + 60_000 });
    const view = bidFormView(facts({ draft: minutes }));
    expect(inputIds(view)).toContain('in_minutes');
    expect(inputIds(view)).not.toContain('at');
    const switched = new Map(filledIn(view)).set('when', { option: 'at' });
    expect(parseBidForm(switched, minutes)).toMatchObject({ when: 'at', inMinutes: '30', at: NOW + 60_000 });
  });

  it('has room for longer texts, under the same ids', () => {
    const once = bidFormView(facts());
    const twice = bidFormView(facts({ draft: draft({ parts: 2 }) }));
    expect(actionsOf(once)).toContain(actionIds.bidMoreSpace);
    expect(actionsOf(twice)).not.toContain(actionIds.bidMoreSpace);
    expect(inputIds(twice)).toEqual(expect.arrayContaining(inputIds(once)));
    expect(inputIds(twice)).toEqual(expect.arrayContaining(['cover_letter~2', 'answer_1~2']));
  });

  it('says what it costs in connects, where that is known', () => {
    const cost = (form: Partial<BidForm>) =>
      viewWords(bidFormView(facts({ draft: draft({}, form) }))).match(/^.*\b[12]6\b.*$/gmu);
    expect(cost({})).toEqual([expect.stringMatching(/\b16\b/u)]);
    expect(cost({ boostConnects: '10' })).toEqual([expect.stringMatching(/\b26\b.*\b16\b.*\b10\b/u)]);
    expect([cost({}), cost({ boostConnects: '10' })]).toMatchSnapshot();
  });

  it('leads with the title, what the client pays and what the bid costs', () => {
    const budget = { type: 'Hourly', amount: '$40 - $60' };
    const view = bidFormView(facts({ budget, note: 'A note' }));
    const first = viewWords(view).split('\n').slice(0, 6);
    expect(first).toMatchSnapshot();
    expect(first.slice(1, 5)).toEqual([
      listed().title,
      expect.any(String),
      expect.stringMatching(/\$40 - \$60 .* 16 /u),
      'A note',
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
    expect(viewWords(view)).toMatchSnapshot();
    expect(actionsOf(view)).toContain(actionIds.bidLookUp);
    expect(actionsOf(bidFormView(facts()))).not.toContain(actionIds.bidLookUp);
  });

  it('warns before a bid on a project that is for US or UK freelancers only', () => {
    const words = (change: Partial<BidDraft>) => viewWords(bidFormView(facts({ draft: draft(change) })));
    const warning = (change: Partial<BidDraft>) => words(change).match(/^.*\bU[SK]\b.*$/gmu);
    expect(warning({ usOnly: true })).toEqual([expect.not.stringContaining('UK')]);
    expect(warning({ usOnly: false, ukOnly: true })).toEqual([expect.not.stringContaining('US')]);
    expect(warning({ usOnly: true, ukOnly: true })).toEqual([expect.stringMatching(/US.*UK/u)]);
    expect(warning({ usOnly: true, ukOnly: true })).toMatchSnapshot();
    for (const open of [{}, { usOnly: false, ukOnly: false }]) expect(warning(open)).toBeNull();
  });

  it('names the amount as the project pays', () => {
    const label = (type: string) =>
      (bidFormView(facts({ budget: { type } })).blocks as KnownBlock[]).flatMap((block) =>
        block.type === 'input' && block.block_id === 'bid_amount' ? [block.label.text] : [],
      );
    const labels = ['Hourly', 'Fixed', 'Barter'].flatMap(label);
    expect(new Set(labels).size).toBe(3);
    expect(labels).toMatchSnapshot();
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
    expect(viewWords(view)).toMatch(
      new RegExp(`^:pencil2: .*<!date\\^${NOW / 1_000 - 180}\\^\\{ago\\}\\|Nov 20, 2026, 8:57 AM UTC>`, 'mu'),
    );
    expect(viewWords(view)).toMatchSnapshot();
    const afresh = JSON.stringify(view).split(`"action_id":"${actionIds.bidStartOver}"`)[1];
    expect(afresh?.split('"action_id"')[0]).toContain('"confirm"');
    expectHarmlessView(view);
    expect(actionsOf(bidFormView(facts()))).not.toContain(actionIds.bidStartOver);
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
    expect(parseBidForm(values, anew)).toMatchObject({
      bidAmount: '20',
      coverLetter: 'ab',
      when: 'at',
      at: NOW,
    });
    const [where] = Object.keys(bidFormErrors([{ field: 'answer:1', message: 'B.' }], anew, values));
    expect(inputIds(view)).toContain(where);
  });

  it('shown on another screen as it was before is read as it stands there', () => {
    const old = bidFormView(facts({ draft: draft({}, FULL) }));
    const values = filledIn(old);
    expect(parseBidForm(values, draft({ afresh: 1 }))).toMatchObject({
      bidAmount: '$1,500',
      coverLetter: ' Hello\n\nthere ',
    });
    expect(bidFormErrors([{ field: 'setup', message: 'A.' }], draft({ afresh: 1 }), values)).toEqual({
      setup: 'A.',
    });
  });
});

describe('mistakes', () => {
  it('stand at their fields; at the nearest where their own is not shown', () => {
    const mistakes = [
      { field: 'setup', message: 'A.' },
      { field: 'answer:1', message: 'B.' },
      { field: 'when', message: 'C.' },
      { field: 'at', message: 'D.' },
    ] as const;
    expect(bidFormErrors(mistakes, draft())).toEqual({ setup: 'A.', answer_1: 'B.', when: 'C. D.' });
    expect(bidFormErrors(mistakes, draft({}, { when: 'at' }))).toMatchObject({ when: 'C.', at: 'D.' });
  });
});
