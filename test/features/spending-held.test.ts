/** Bids that wait, as people see them: on Home, in Review, in the funnel; their times and their claims. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Input } from '../kit/person.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, FILTER, letBid, PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const LIMIT = { 'Second approval above this amount': '500' };
const ABOVE = { 'Fixed-price bid': '600', 'Cover letter': 'Dear client' };

/** Ben's bid waits by these rules; ben and cem may bid. */
async function sendWaiting(desk: Desk, rules: Input, input: Input = ABOVE): Promise<Message> {
  await letBid(desk, ['ben', desk.person('cem').name]);
  await setRules(desk.person('ada'), rules);
  const card = await desk.market.publish().cardIn('web');
  await sendBid(desk.person('ben'), card, input);
  return card;
}

const newest = (card: Message): Message => offering(card, 'Cancel');
const textsOf = (card: Message) =>
  card
    .replies()
    .map((it) => it.text)
    .join('\n');

describe('Home', () => {
  appTest(
    'names a bid in its cancel window in place of its draft; Cancel gives that back',
    async ({ desk, ben }) => {
      const card = await sendWaiting(desk, { 'Cancel window': '5 minutes' });
      const home = await ben.home();
      expect(home.text).toMatch(/Your waiting bids\n.*Rebuild our checkout/u);
      expect(home.text).toContain('unless someone cancels it');
      expect(home.text).not.toContain('Your drafts');
      expect(home.text).toContain(`p${newest(card).ts.replace('.', '')}`);
      await ben.press(newest(card), 'Cancel');
      const after = await ben.home();
      expect(after.text).not.toContain('Your waiting bids');
      expect(after.text).toMatch(/Your drafts\n.*Rebuild our checkout/u);
      await (await ben.press(card, 'Try Again')).send();
      await ben.close();
      await desk.pass(6 * MINUTE);
      expect((await ben.home()).text).not.toMatch(/Your waiting bids|Your drafts/u);
    },
  );

  appTest('asks those who can give a second approval, and nobody else', async ({ desk, ada, ben, cem }) => {
    await sendWaiting(desk, { ...LIMIT, 'Number of second approvals': '2' });
    const asks = /Waiting for your approval\n.*Rebuild our checkout/u;
    expect((await ada.home()).text).toMatch(asks);
    const own = await ben.home();
    expect(own.text).not.toContain('Waiting for your approval');
    expect(own.text).toContain('Waiting for second approvals (0 of 2)');
    expect((await desk.person('eve').home()).text).not.toContain('Rebuild our checkout');
    const home = await cem.home();
    expect(home.text).toMatch(asks);
    const window = await home.press('Review');
    expect(window.text).toContain('Dear client');
    await window.send();
    expect((await cem.home()).text).not.toContain('Waiting for your approval');
    expect((await ada.home()).text).toContain('(1 of 2)');
  });
});

describe('Review of a bid that waits', () => {
  appTest(
    'shows the letter of the template that is sent, also after a restart',
    async ({ desk, market, ada }) => {
      const template = { id: 61, name: 'Night letter' };
      market.service.addTemplate({
        ...template,
        cover_letters: { variant_a: 'I work at night.', variant_b: null },
      });
      market.service.addSetup({
        id: 8,
        name: 'Slow setup',
        filter: FILTER,
        status: 'active',
        biddingTemplate: template,
      });
      await desk.pass(6 * MINUTE);
      const bid = { 'Bidding setup': 'Slow setup', 'Fixed-price bid': '600' };
      const card = await sendWaiting(desk, LIMIT, bid);
      expect(newest(card).text).not.toContain('I work at night.');
      await desk.restart();
      const window = await ada.press(newest(card), 'Review');
      expect(window.text).toContain('I work at night.');
    },
  );

  appTest(
    'says so if the template is unknown, and calls the amount by the budget',
    async ({ market, ada, ben }) => {
      await setRules(ada, { 'Second approval above this amount': '50' });
      const budget = { type: 'hourly' as const, hourlyMin: 40, hourlyMax: 90 };
      const card = await market.publish({ title: 'By the hour', clientQuestions: [], budget }).cardIn('web');
      await sendBid(ben, card, { 'Hourly rate': '60' });
      expect(newest(card).text).toContain('*Hourly rate:* $60');
      expect((await ada.press(newest(card), 'Review')).text).toMatch(/template.*isn't shown/u);
    },
  );
});

describe('the funnel and the digest', () => {
  appTest.for([
    ['Cancel', 'bid canceled'],
    ['Reject', 'bid not approved'],
    [undefined, 'bid waiting to be sent'],
  ] as const)('count no bid before it is sent (%s)', async ([label, words], { desk, ada, cem }) => {
    const card = await sendWaiting(desk, LIMIT);
    if (label) await cem.press(newest(card), label);
    const funnel = await ada.type('/gig stats funnel');
    expect(funnel.text).toContain(`1 ${words}`);
    expect(funnel.text).not.toContain('refused');
    expect(funnel.text).toContain('0 bid');
    await ada.type('/gig digest now');
    expect(ada.reads('web').at(-1)?.text).not.toMatch(/1 bid sent|refused/iu);
  });
});

describe('a bid with a time of its own', () => {
  /** The form's answer to a time so long from now. */
  async function sendFor(desk: Desk, rules: Input, fromNow: number, input: Input = {}) {
    await setRules(desk.person('ada'), rules);
    const card = await desk.market.publish().cardIn('web');
    const ben = desk.person('ben');
    const form = await ben.press(card, 'Bid');
    const timed = await form.press('At a specific time');
    const at = Math.ceil((desk.app.clock.now() + fromNow) / 1_000);
    const answer = await timed.send({
      'Bidding setup': 'Fast setup',
      'Date and time': at,
      ...ABOVE,
      ...input,
    });
    await ben.close();
    return { card, answer, at: at * 1_000 };
  }

  appTest('ends if that comes before the second approval', async ({ desk, market, ada }) => {
    const rules = { ...LIMIT, 'Cancel window': '1 minute', 'Connects a week for this channel': '99' };
    const { card } = await sendFor(desk, rules, 30 * MINUTE, { Boost: '20' });
    expect(newest(card).text).toContain("it isn't sent");
    await desk.pass(27 * MINUTE);
    expect(newest(card).offers('Approve')).toBe(true);
    await desk.restart();
    await desk.pass(3 * MINUTE);
    expect(textsOf(card)).toContain('The time set for this bid passed while it waited.');
    await desk.pass(HOUR);
    expect(market.jobs).toEqual([]);
    expect((await ada.type('/gig audit')).text).toContain('the time set for it passed');
    expect((await (await ada.type('/gig settings')).press('Spending Rules')).text).toContain(
      '0 connects used',
    );
  });

  appTest(
    'goes out once, before its time, if people approve it early enough',
    async ({ desk, market, ada }) => {
      const { card, at } = await sendFor(desk, { ...LIMIT, 'Cancel window': '1 minute' }, 30 * MINUTE);
      await desk.pass(15 * MINUTE);
      await ada.press(newest(card), 'Approve');
      await desk.pass(HOUR);
      expect(market.requests(PATHS.bid).map((it) => it.body)).toMatchObject([
        { scheduled_at: new Date(at).toISOString() },
      ]);
    },
  );

  appTest('is not taken at all if its window would end too late', async ({ desk, market }) => {
    const { card } = await sendFor(desk, { 'Cancel window': '5 minutes' }, 3 * MINUTE);
    expect(card.replies()).toEqual([]);
    await desk.pass(10 * MINUTE);
    expect(market.jobs).toEqual([]);
  });
});

describe('the response clock', () => {
  /** On, all day and every day, with ada as the lead; a card. */
  async function begin({ person, market }: Desk): Promise<Message> {
    const ada = person('ada');
    const times = await (await ada.type('/gig settings')).press('Response Times');
    await times.send({
      'Targets and nudges': ['Show targets on cards and send nudges'],
      'Working days': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
      'Working hours from': null,
      'Working hours until': null,
      'Lead: person': 'ada',
    });
    await ada.close();
    await setRules(ada, LIMIT);
    return market.publish().cardIn('web');
  }

  appTest(
    'leaves a claim whose bid waits; a rejection gives it its whole time again',
    async ({ desk, ada, ben }) => {
      const card = await begin(desk);
      await ben.press(card, 'Claim');
      await sendBid(ben, card, ABOVE);
      await desk.pass(90 * MINUTE);
      expect(card.replies()).toHaveLength(1);
      expect(card.text).toContain('Claimed by @ben');
      await ada.press(newest(card), 'Reject');
      await desk.pass(40 * MINUTE);
      expect(card.text).toContain('Claimed by @ben');
      await desk.pass(50 * MINUTE);
      expect(card.text).not.toContain('Claimed by @ben');
    },
  );

  appTest('nudges nobody about a project whose bid waits, until that is canceled', async ({ desk, ben }) => {
    const card = await begin(desk);
    await sendBid(ben, card, ABOVE);
    await desk.pass(30 * MINUTE);
    expect(card.replies()).toHaveLength(1);
    await ben.press(newest(card), 'Cancel');
    await desk.pass(3 * MINUTE);
    expect(card.replies().at(-1)?.text).toContain('@ada');
  });
});
