import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { BidId, ChannelId, MessageTs, SetupId, type UserId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { bidLoadingView } from '../../../src/slack/bids/bid-form.ts';
import { SETUP_TEMPLATE_WARNINGS } from '../../../src/slack/bids/bid-form-setup.ts';
import { BID_FORM_GONE, BID_GONE } from '../../../src/slack/bids/bid-outcome.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { CARD_GONE } from '../../../src/slack/core/handler-steps.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { projectNotFoundMessage } from '../../../src/slack/kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { offers } from '../buttons.ts';
import { initialOf, inputIds, viewWords } from '../kit/harmless-view.ts';
import { BEN, CHANNEL, listed, lookedUp, NOW } from '../samples.ts';
import { type BidDesk, CLEO, DAY, startBidDesk } from './bid-desk.ts';
import { bid, foreignJob, JOB, job, NIGHT } from './bidding-samples.ts';

const DOWN = new MarketplaceError('network', 'none', 'down');
const BID = '7:0123456789';
const [AWAY = ''] = failureMessage(DOWN, 'ref', NOW).text.split('\n');
const NO_BUDGET = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW + MINUTE } as const;

let desk: BidDesk;
let card: MessageTs;
beforeEach(async () => {
  desk = startBidDesk();
  card = await desk.desk.addCard();
  await desk.knowSetups();
});

/** Whether the modal has a button with this action. */
const offered = (id: string) => offers(desk.screen(), id);
const draftId = async () => (await desk.drafts())[0]?.id ?? expect.fail('no draft');

const openFromCard = (by: UserId = CLEO, value: string = listed().key) =>
  desk.press(actionIds.bid, value, card, by);

describe('Bid on a card', () => {
  it('opens the form at once, from what is stored', async () => {
    const asked = desk.calls.length;
    await openFromCard();
    const [first, ...later] = desk.desk.views;
    expect([first?.how, ...later.map(({ how }) => how)]).toEqual(['open', 'update']);
    expect(first && viewWords(first.view)).toContain('Rebuild our checkout in React');
    expect(desk.words()).toContain('Rebuild our checkout in React');
    expect(desk.words()).toContain('When could you begin?');
    // After the form opens: whether the template of the suggested setup can bid.
    expect(desk.calls.slice(asked).map(({ name }) => name)).toEqual(['fetchProposalTemplate']);
  });

  it('believes the card, not what the button says', async () => {
    await openFromCard(CLEO, '~999');
    expect(desk.words()).toContain('Rebuild our checkout in React');
  });

  it('chooses the setup of the bid that is tried again', async () => {
    await desk.keepBid(
      bid({ state: 'refused', by: BEN, request: { ...bid().request, coverLetter: ' As before' } }),
    );
    await openFromCard(CLEO, BID);
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
    expect(initialOf(desk.screen(), 'cover_letter')).toBe(' As before');
    expect(desk.words()).toMatchSnapshot();
  });

  it('says who claimed the project', async () => {
    await desk.claim(BEN);
    await openFromCard();
    expect(desk.words()).toContain(`<@${BEN}>`);
  });

  it('of a card that we do not know says so, after a moment in which it may arrive', async () => {
    await desk.press(actionIds.bid, '', MessageTs.parse('1.1'));
    expect(desk.told()).toEqual([CARD_GONE]);
    expect(desk.desk.views).toEqual([]);
  });

  it('tells nothing of a failed opening, but that Slack refused it', async () => {
    desk.desk.state.viewFails = new SlackCallError('expired_trigger_id', 'refused');
    await expect(openFromCard()).rejects.toThrow('expired_trigger_id');
    expect(await desk.drafts()).toHaveLength(1);
  });
});

describe('Bid on other messages', () => {
  const ts = MessageTs.parse('1795165020.000900');

  it('of a bid is about its project, with its setup', async () => {
    await desk.keepBid(bid({ state: 'skipped', by: BEN }));
    await desk.addPost('bid:1', ts, { kind: 'bid', bid: BidId.parse(BID) });
    await desk.press(actionIds.bid, BID, ts);
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
  });

  it('in a thread is about what it stands under', async () => {
    await desk.keepBid(bid({ state: 'unknown', by: BEN }));
    await desk.addPost('bid:1', MessageTs.parse('1.2'), { kind: 'bid', bid: BidId.parse(BID) });
    const news = { about: 'bid-unknown', by: BEN, title: 'A shop' } as const;
    await desk.addPost('news:1', ts, { kind: 'bid-news', news }, { under: 'bid:1' });
    await desk.press(actionIds.bid, BID, ts);
    expect(desk.words()).toContain('Rebuild our checkout in React');
    expect(offered(actionIds.bidCheck)).toBe(true);
  });

  it('of a job is about its project', async () => {
    await desk.keepBid(bid({ by: BEN }), foreignJob());
    await desk.addPost('job:13', ts, { kind: 'job', job: foreignJob().id });
    await desk.press(actionIds.bid, '', ts);
    expect(desk.words()).toContain('Rebuild our checkout in React');
  });

  it('that only the person sees is found by the bid, if it is of this channel', async () => {
    await desk.keepBid(bid({ state: 'refused', by: BEN }));
    await desk.press(actionIds.bid, BID, undefined);
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
    await desk.keepBid(bid({ state: 'refused', by: BEN, channel: ChannelId.parse('C0OTHER') }));
    await desk.press(actionIds.bid, BID, undefined);
    expect(desk.told()).toEqual([CARD_GONE]);
  });
});

describe('setups', () => {
  it('that were never read are waited for in an open modal', async () => {
    desk = startBidDesk();
    card = await desk.desk.addCard();
    await openFromCard();
    // The form, and then what its template sends.
    expect(desk.desk.views.map(({ how }) => how)).toEqual(['open', 'update', 'update']);
    expect(desk.desk.views[0]?.view).toEqual(bidLoadingView(await draftId()));
    expect(inputIds(desk.screen())).toContain('setup');
  });

  it('that are older than five minutes are asked for behind, and shown where they changed', async () => {
    desk.clock.moveBy(5 * MINUTE);
    desk.state.setups = [NIGHT, { ...DAY, name: 'Day and evening' }];
    await openFromCard();
    expect(desk.desk.views.map(({ how }) => how)).toEqual(['open', 'update', 'update']);
    expect(desk.words()).toContain('Day and evening');
  });

  it('that did not change leave the modal alone, and so does a marketplace that is away', async () => {
    desk.clock.moveBy(5 * MINUTE);
    await openFromCard();
    desk.clock.moveBy(5 * MINUTE);
    desk.state.setupsFail = DOWN;
    await openFromCard();
    expect(desk.desk.views.map(({ how }) => how)).toEqual(['open', 'update', 'open']);
  });

  it('whose template sends as a freelancer are warned of, once that is known', async () => {
    desk.state.sender = 'freelancer';
    await openFromCard();
    await desk.pressIn(actionIds.bidSetup, { setup: { option: '7' } });
    expect(desk.words()).toContain(SETUP_TEMPLATE_WARNINGS['freelancer-sender']);
  });

  it('whose template is not found, or cannot be read', async () => {
    desk.state.templateFails = new MarketplaceError('not-found', 'none', 'none');
    await openFromCard();
    await desk.pressIn(actionIds.bidSetup, { setup: { option: '7' } });
    expect(desk.words()).toContain(SETUP_TEMPLATE_WARNINGS['not-found']);
    desk.clock.moveBy(6 * MINUTE);
    desk.state.templateFails = DOWN;
    await desk.pressIn(actionIds.bidSetup, { setup: { option: '7' } });
    expect(desk.words()).not.toContain(SETUP_TEMPLATE_WARNINGS['not-found']);
  });
});

describe('presses in the form', () => {
  const typed = {
    bid_amount: { text: '$1,500' },
    cover_letter: { text: ' Hello\n' },
    answer_1: { text: 'Three' },
  };

  it('keep what was typed, and show the facts of the chosen setup', async () => {
    await desk.keepBid(bid({ by: BEN, job: JOB }), job());
    await openFromCard();
    expect(await desk.pressIn(actionIds.bidSetup, { ...typed, setup: { option: '7' } })).toBe(CHANNEL);
    expect(desk.words()).toContain('#12');
    expect(desk.words()).toMatchSnapshot();
    expect((await desk.drafts())[0]?.form).toMatchObject({
      setup: 7,
      bidAmount: '$1,500',
      coverLetter: ' Hello\n',
      answers: ['', 'Three'],
    });
  });

  it('show the input of the chosen time alone', async () => {
    await openFromCard();
    await desk.pressIn(actionIds.bidWhen, { ...typed, when: { option: 'in-minutes' } });
    expect(inputIds(desk.screen())).toContain('in_minutes');
    await desk.pressIn(actionIds.bidWhen, { in_minutes: { text: '30' }, when: { option: 'at' } });
    expect(inputIds(desk.screen())).toContain('at');
    expect(inputIds(desk.screen())).not.toContain('in_minutes');
    expect((await desk.drafts())[0]?.form).toMatchObject({
      when: 'at',
      inMinutes: '30',
      bidAmount: '$1,500',
    });
  });

  it('make room for longer texts', async () => {
    await openFromCard();
    await desk.pressIn(actionIds.bidMoreSpace, typed);
    expect(inputIds(desk.screen())).toContain('cover_letter~2');
    expect(initialOf(desk.screen(), 'cover_letter')).toBe(' Hello\n');
  });

  it('look up what is not known, on the budget of the channel, and say what it cost', async () => {
    await desk.type('~4711');
    expect(offered(actionIds.bidLookUp)).toBe(true);
    expect(desk.words()).toMatchSnapshot();
    desk.desk.state.lookup = { kind: 'found', project: lookedUp({ title: 'A looked up shop' }), charged: 1 };
    await desk.pressIn(actionIds.bidLookUp, { cover_letter: { text: 'Hi' } });
    expect(desk.desk.state.lookups).toEqual([{ ciphertext: '~4711' }]);
    expect(desk.words()).toContain('A looked up shop');
    expect(desk.words()).toMatch(/\b16 connects\b/u);
    expect(desk.words()).toContain(chargedCreditsText({ charged: 1 }));
    expect(desk.words()).toMatchSnapshot();
    expect(offered(actionIds.bidLookUp)).toBe(false);
    expect(inputIds(desk.screen())).toContain('answer_1');
    expect(initialOf(desk.screen(), 'cover_letter')).toBe('Hi');
  });

  it.each([
    [NO_BUDGET, insufficientCreditsText(NO_BUDGET)],
    [
      { kind: 'failed', error: new MarketplaceError('not-found', 'none', '') } as const,
      projectNotFoundMessage().text,
    ],
    [{ kind: 'failed', error: DOWN } as const, AWAY],
  ])('say why nothing was learned: %j', async (outcome, words) => {
    await desk.type('~4711');
    desk.desk.state.lookup = outcome;
    await desk.pressIn(actionIds.bidLookUp);
    expect(desk.words()).toContain(words);
  });

  it('of a form that was closed meanwhile do no harm', async () => {
    await openFromCard();
    desk.desk.state.updateFails = new SlackCallError('not_found', 'refused');
    await desk.pressIn(actionIds.bidSetup, typed);
    expect((await desk.drafts())[0]?.form.bidAmount).toBe('$1,500');
  });

  it.each([
    actionIds.bidSetup,
    actionIds.bidWhen,
    actionIds.bidMoreSpace,
    actionIds.bidLookUp,
    actionIds.bidReload,
  ])('%s in a form that is somebody else’s, forged or too old are refused', async (id) => {
    await openFromCard();
    expect(await desk.pressIn(id, typed, { by: BEN })).toBeUndefined();
    expect(await desk.pressIn(id, typed, { privateMetadata: 'a'.repeat(26) })).toBeUndefined();
    await desk.pressIn(id, typed, { privateMetadata: '{"channel":"C1"}' });
    const told = desk.told();
    expect(told).toHaveLength(3);
    for (const message of told) expect(message).toEqual(BID_FORM_GONE);
    expect((await desk.drafts()).map(({ form }) => form.bidAmount)).toEqual(['']);
  });
});

describe('a form that was closed', () => {
  it('comes back with what was typed', async () => {
    await openFromCard();
    await desk.close({ cover_letter: { text: 'Half a letter' }, setup: { option: '7' } });
    await openFromCard();
    expect(initialOf(desk.screen(), 'cover_letter')).toBe('Half a letter');
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
    expect(await desk.drafts()).toHaveLength(1);
  });

  it('of which Slack tells nothing keeps what was kept before', async () => {
    await openFromCard();
    await desk.pressIn(actionIds.bidWhen, { cover_letter: { text: 'Half a letter' } });
    await desk.close({}, { values: new Map() });
    expect((await desk.drafts())[0]?.form.coverLetter).toBe('Half a letter');
  });

  it('starts anew for another person', async () => {
    await openFromCard();
    await desk.close({ cover_letter: { text: 'Half a letter' } });
    await openFromCard(BEN);
    expect(initialOf(desk.screen(), 'cover_letter')).toBe('');
  });
});

describe('checking a bid without an answer', () => {
  const unknown = bid({
    state: 'unknown',
    by: BEN,
    before: { totalSent: 98, sentToday: 1, at: NOW - MINUTE },
  });

  it('from a card says what speaks for a job, and how to go on', async () => {
    await desk.keepBid(unknown);
    desk.clock.moveBy(MINUTE);
    await desk.press(actionIds.bidCheck, BID, card);
    const [{ text } = { text: '' }] = desk.told();
    expect(text).toMatch(/Night shift.*\b2 proposals\b/u);
    expect(text).toContain('`/gig job &lt;id&gt;`');
    expect(text).toMatchSnapshot();
  });

  it('from a card in another channel works, for the card is of that project', async () => {
    await desk.keepBid({ ...unknown, channel: ChannelId.parse('C0OTHER') });
    await desk.press(actionIds.bidCheck, BID, card);
    const [told] = desk.told();
    expect(JSON.stringify(told)).toContain(BID);
    expect(told?.text).toMatchSnapshot();
  });

  it('of another channel or project is not told to a forged press', async () => {
    await desk.keepBid({ ...unknown, channel: ChannelId.parse('C0OTHER') });
    await desk.press(actionIds.bidCheck, BID, undefined);
    await desk.press(actionIds.bidCheck, '7:999', card);
    await desk.press(actionIds.bidCheck, '', card);
    expect(desk.told()).toEqual([BID_GONE, BID_GONE, BID_GONE]);
  });

  it('in the form keeps what was typed, and leads back to it', async () => {
    await desk.keepBid(unknown);
    await openFromCard();
    await desk.pressIn(actionIds.bidSetup, { setup: { option: '7' } });
    await desk.pressIn(actionIds.bidCheck, { cover_letter: { text: 'Kept' } }, { value: BID });
    expect(desk.words()).toMatchSnapshot();
    const [draft] = await desk.drafts();
    await desk.pressIn(actionIds.bidReopen, {}, { value: draft?.id ?? '' });
    expect(initialOf(desk.screen(), 'cover_letter')).toBe('Kept');
  });

  it('tells of one that is settled by now how it stands', async () => {
    const told: string[] = [];
    for (const state of ['created', 'sending', 'refused', 'skipped'] as const) {
      await desk.keepBid(bid({ state, by: BEN, ...(state === 'created' ? { job: JOB } : {}) }));
      await desk.press(actionIds.bidCheck, BID, card);
      told.push(...desk.told().map(({ text }) => text));
    }
    expect(told[0]).toContain('/gig job 12');
    expect(new Set(told).size).toBe(4);
    expect(told).toMatchSnapshot();
  });

  it('says so when the marketplace is away, and the form is not lost', async () => {
    await desk.keepBid(unknown);
    await openFromCard();
    desk.clock.moveBy(MINUTE);
    desk.state.setupsFail = DOWN;
    await desk.pressIn(actionIds.bidCheck, {}, { value: BID });
    expect(desk.words()).toContain(AWAY);
    expect(offered(actionIds.bidReopen)).toBe(true);
  });
});

describe('opening again', () => {
  it('from a message opens the form as it was', async () => {
    await openFromCard();
    await desk.close({ cover_letter: { text: 'As it was' }, setup: { option: String(SetupId.parse(8)) } });
    const [draft] = await desk.drafts();
    await desk.press(actionIds.bidReopen, draft?.id ?? '');
    expect(initialOf(desk.screen(), 'cover_letter')).toBe('As it was');
    expect(desk.words()).toContain('“paused”');
  });

  it('of somebody else’s draft, or of none, is refused', async () => {
    await openFromCard();
    const [draft] = await desk.drafts();
    await desk.press(actionIds.bidReopen, draft?.id ?? '', undefined, BEN);
    await desk.press(actionIds.bidReopen, '');
    expect(desk.told()).toEqual([BID_FORM_GONE, BID_FORM_GONE]);
  });
});
