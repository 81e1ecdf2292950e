import { beforeEach, describe, expect, it } from 'vitest';
import {
  applyShownBids,
  type BidProjectInfo,
  changeDraft,
  discardBidDraft,
  formatDraftRevision,
  getShownAttempts,
  hasOutdatedQuestions,
  openBidDraft,
  readBidDraft,
  saveBidForm,
  splitLongTextInputs,
  withProjectInfo,
} from '../../src/bidding/bid-drafts.ts';
import { type BidDraft, type BidForm, EMPTY_BID_FORM } from '../../src/bidding/draft-records.ts';
import { bidId } from '../../src/bidding/records.ts';
import { ChannelId, type DraftId, ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import type { Store } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';

const ANA = { user: UserId.parse('UANA') };
const BEN = { user: UserId.parse('UBEN') };
const SETUP = SetupId.parse(7);
const subject: BidProjectInfo = {
  channel: ChannelId.parse('C1'),
  project: ProjectKey.parse('~1'),
  title: 'A shop',
  url: 'https://www.marketplace.example/jobs/~1',
  questions: ['When?', 'Where?'],
  marketplaceJobId: '~1',
};

let store: Store;
let random: () => number;
let at: number;
beforeEach(() => {
  store = createMemoryStore();
  random = seededRandom(1);
  at = 1_000;
});

function open(change: Partial<BidProjectInfo> = {}, owner = ANA): Promise<BidDraft> {
  return store.transact((tx) => openBidDraft(tx, owner, { ...subject, ...change }, { at, random }));
}

function type(draft: BidDraft, change: Partial<BidForm>, owner = ANA) {
  return store.transact((tx) => saveBidForm(tx, owner, draft.id, ({ form }) => ({ ...form, ...change }), at));
}

const change = (id: string, how: (draft: BidDraft) => BidDraft, owner = ANA) =>
  store.transact((tx) => changeDraft(tx, owner, id, how));

const read = (id: string, owner = ANA) => store.read((tx) => readBidDraft(tx, owner, id));

describe('a new draft', () => {
  it('begins with what is known of the project, under an id that nobody guesses', async () => {
    const draft = await open();
    expect(draft).toMatchObject({
      user: 'UANA',
      title: 'A shop',
      questions: ['When?', 'Where?'],
      form: { ...EMPTY_BID_FORM, marketplaceJobId: '~1' },
      parts: 1,
      seen: {},
    });
    expect(draft.id).toMatch(/^[a-z0-9]{24,40}$/u);
    expect((await open({ project: ProjectKey.parse('~2') })).id).not.toBe(draft.id);
  });

  it('begins with an earlier bid, and room for its texts', async () => {
    const form = { ...EMPTY_BID_FORM, setup: SETUP, marketplaceJobId: '~1', coverLetter: 'x'.repeat(3_001) };
    expect(await open({ form })).toMatchObject({ form, parts: 2 });
  });
});

describe('an unfinished draft', () => {
  it('returns to the same person, project, and channel with everything typed', async () => {
    const first = await open();
    await type(first, { coverLetter: ' Hello\n', answers: ['now', ''] });
    const again = await open({ title: 'A larger shop', questions: ['Who?'], connectsPrice: 16 });
    expect(again).toMatchObject({
      id: first.id,
      title: 'A larger shop',
      connectsPrice: 16,
      form: { coverLetter: ' Hello\n', answers: ['now', ''] },
    });
    // An answer must not move to another question.
    expect(again.questions).toEqual(['When?', 'Where?']);
  });

  it('takes newer questions while no answer is typed, and the setup that was named just now', async () => {
    const first = await open();
    await type(first, { setup: SetupId.parse(8), answers: ['', ' '] });
    const again = await open({ questions: ['Who?'], setup: SETUP });
    expect(again).toMatchObject({ id: first.id, questions: ['Who?'], form: { setup: 7 } });
  });

  it('is not for another channel or another person', async () => {
    const first = await open();
    expect((await open({ channel: ChannelId.parse('C2') })).id).not.toBe(first.id);
    expect((await open({}, BEN)).id).not.toBe(first.id);
  });

  it('of somebody else is neither read nor changed by its id', async () => {
    const draft = await open();
    expect(await read(draft.id, BEN)).toBeUndefined();
    expect(await type(draft, { coverLetter: 'mine now' }, BEN)).toBeUndefined();
    expect(await change(draft.id, splitLongTextInputs, BEN)).toBeUndefined();
    await store.transact((tx) => discardBidDraft(tx, BEN, draft.id));
    expect(await read(draft.id)).toEqual(draft);
  });

  it.each(['', 'x', '../../x', '__proto__', 'x'.repeat(3_000)])('is not found under %j', async (id) => {
    expect(await read(id)).toBeUndefined();
  });

  it('is gone once it has become a job', async () => {
    const draft = await open();
    await store.transact((tx) => discardBidDraft(tx, ANA, draft.id));
    expect(await read(draft.id)).toBeUndefined();
    expect((await open()).id).not.toBe(draft.id);
  });
});

describe('what a lookup tells', () => {
  it('is added to the draft', async () => {
    const { questions: _unknown, ...bare } = subject;
    const draft = await store.transact((tx) => openBidDraft(tx, ANA, bare, { at, random }));
    const news = { title: 'Its title', questions: ['Who?'], connectsPrice: 12 };
    const after = await change(draft.id, (stored) => withProjectInfo(stored, news));
    expect(after).toMatchObject(news);
  });
});

describe('a view that shows other questions', () => {
  it('is known by its mark', async () => {
    const opened = await open();
    const news = { title: '', questions: ['Where?', 'When?'] };
    const after = await change(opened.id, (stored) => withProjectInfo(stored, news));
    if (!after) return expect.fail('the draft is gone');
    expect(hasOutdatedQuestions(after, formatDraftRevision(opened))).toBe(true);
    expect(hasOutdatedQuestions(after, formatDraftRevision(after))).toBe(false);
    const same = await change(opened.id, (stored) => withProjectInfo(stored, news));
    expect(formatDraftRevision(same ?? opened)).toBe(formatDraftRevision(after));
  });

  it('is none where there were no questions before', async () => {
    const { questions: _unknown, ...bare } = subject;
    const opened = await store.transact((tx) => openBidDraft(tx, ANA, bare, { at, random }));
    const after = await change(opened.id, (stored) =>
      withProjectInfo(stored, { title: '', questions: ['Who?'] }),
    );
    expect(hasOutdatedQuestions(after ?? expect.fail('the draft is gone'), formatDraftRevision(opened))).toBe(
      false,
    );
  });
});

describe('what a view shows of a bid', () => {
  const shows = (attempt: number) => {
    const bid = { id: bidId('~1', SETUP), attempt };
    return { ended: bid, all: [bid] };
  };
  const see = async (id: DraftId, attempt: number) =>
    (await change(id, (draft) => applyShownBids(draft, shows(attempt)))) ?? expect.fail('the draft is gone');

  it('is counted for one bid, and for no other', async () => {
    const draft = await see((await open()).id, 2);
    expect(getShownAttempts(draft, formatDraftRevision(draft)).seen).toEqual({ [bidId('1', SETUP)]: 2 });
  });

  it('counts for no view that was put up before, and none that names something else', async () => {
    const opened = await open();
    const first = await see(opened.id, 1);
    const again = await see(opened.id, 1);
    const second = await see(opened.id, 2);
    const id = bidId('~1', SETUP);
    const marks = [opened, first, again, second].map(formatDraftRevision);
    expect(marks.map((mark) => getShownAttempts(second, mark).seen)).toEqual([{}, {}, {}, { [id]: 2 }]);
    expect(getShownAttempts(first, formatDraftRevision(again)).seen).toEqual({ [id]: 1 });
    const strange = [second.id, '', `${second.id}.99`];
    expect(strange.map((mark) => getShownAttempts(second, mark).seen)).toEqual([{}, {}, {}]);
  });

  it('is every bid on the project, and what no view shows any more does not count', async () => {
    const { id } = await open();
    const [mine, other] = [7, 8].map((setup) => ({ id: bidId('~1', SetupId.parse(setup)), attempt: 1 }));
    const show = (all: readonly (typeof mine)[]) =>
      change(id, (draft) => applyShownBids(draft, { all: all.flatMap((bid) => bid ?? []) }));
    const both = (await show([mine, other])) ?? expect.fail('the draft is gone');
    expect(getShownAttempts(both, formatDraftRevision(both)).shownBids).toEqual({ '7:1': 1, '8:1': 1 });
    expect(getShownAttempts(both, `${id}.0`).shownBids).toEqual({});
    const one = (await show([other])) ?? expect.fail('the draft is gone');
    expect(getShownAttempts(one, formatDraftRevision(one)).shownBids).toEqual({ '8:1': 1 });
    expect(getShownAttempts(one, formatDraftRevision(both)).shownBids).toEqual({});
    expect(getShownAttempts(both, formatDraftRevision(both)).seen).toEqual({});
  });

  it('is no part of whose draft it is', async () => {
    const { id } = await see((await open()).id, 1);
    const find = (mark: string, owner = ANA) => store.read((tx) => readBidDraft(tx, owner, mark));
    expect(await find(`${id}.0`)).toMatchObject({ id });
    expect(await find(`${id}.1`, BEN)).toBeUndefined();
  });
});
