/**
 * A server clock that is wrong for a while: nothing is erased, sent or posted by it, and all of it
 * afterwards.
 */
import { request } from 'undici';
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

const AHEAD = 410 * DAY;
const WRONG_CLOCK = /server's clock/u;

type DateMode = number | 'absent';

const DATES: readonly (readonly [string, DateMode, DateMode])[] = [
  ['that both servers tell', 0, 0],
  ['that Slack alone tells', 0, 'absent'],
  ['that nobody tells', 'absent', 'absent'],
  ['that Slack tells, and the marketplace wrongly', 0, AHEAD],
  ['that the marketplace tells, and Slack wrongly', -200 * DAY, 0],
];

const bids = ({ market }: Desk) => market.requests(PATHS.bid).length;

async function bidOn(desk: Desk, title: string) {
  const ben = desk.person('ben');
  const card = await desk.market.publish({ ...SHOP, title }).cardIn('web');
  const form = await ben.press(card, 'Bid');
  return { card, form, send: () => form.send({ 'Bidding setup': 'Fast setup' }) };
}

/** Sends a bid where servers tell these dates, and forgets earlier signs of the time. */
async function begin(desk: Desk, slackDate: DateMode, marketplaceDate: DateMode) {
  desk.slack.setDateAhead(slackDate);
  desk.market.service.setModes({ dateAhead: marketplaceDate });
  await desk.app.end();
  await desk.app.start();
  const { card, send } = await bidOn(desk, 'Before');
  await send();
  await desk.person('ben').close();
  expect(bids(desk)).toBe(1);
  await desk.pass(MINUTE);
  return card;
}

for (const [who, slackDate, marketplaceDate] of DATES)
  appTest.for([
    ['while it runs', false],
    ['over a restart', true],
  ] as const)(
    `with a date ${who}, a clock far ahead %s erases and sends nothing`,
    async ([, restarts], { desk, ada, ben, pass }) => {
      const { app } = desk;
      const card = await begin(desk, slackDate, marketplaceDate);
      const shown = card.text;
      const other = await bidOn(desk, 'Open while the clock is wrong');
      const setClock = async (ms: number) => {
        if (restarts) await app.end();
        app.skew.ms = ms;
        if (restarts) await app.start();
      };
      await setClock(AHEAD);
      const refused = await other.send();
      expect(refused.text).toMatch(WRONG_CLOCK);
      await ben.close();
      await pass(2 * MINUTE);
      expect((await ada.type('/gig status')).text).toMatch(WRONG_CLOCK);
      await setClock(0);
      await pass(3 * MINUTE);
      expect((await ada.type('/gig status')).text).not.toContain(':red_circle:');
      expect(bids(desk)).toBe(1);
      // The bid, its job and its card are still known.
      expect(card.text).toBe(shown);
      await ben.press(card, 'Open Bid');
      expect(ben.form().text || ben.notes('web').at(-1)?.text).toContain('Fast setup');
      await ben.close();
      const again = await ben.press(other.card, 'Bid');
      await again.send({ 'Bidding setup': 'Fast setup' });
      expect(bids(desk)).toBe(2);
    },
  );

appTest('one server with a wrong date stops neither bids nor the feed', async ({ desk, market, ada }) => {
  await begin(desk, 0, -AHEAD);
  await market.publish({ ...SHOP, title: 'Another' }).cardIn('web');
  expect((await ada.type('/gig status')).text).toContain(':white_check_mark:');
});

appTest(
  'what comes while the clock is ahead is posted once it is right',
  async ({ app, market, ada, pass }) => {
    app.skew.ms = AHEAD;
    await pass(SECOND);
    const ready = async () => (await request(`${app.address()}/readyz`)).statusCode;
    expect(await ready()).toBe(503);
    await pass(MINUTE);
    await ada.type('/gig subscribe filter 101', 'data');
    const published = market.publish({ ...SHOP, title: 'Meanwhile' });
    await pass(MINUTE);
    app.skew.ms = 0;
    expect(await ready()).toBe(200);
    await pass(25 * MINUTE);
    await published.cardIn('web');
    await market.publish({ ...SHOP, title: 'Afterwards' }).cardIn('web');
  },
);

appTest('a subscription of a time to come begins now', async ({ app, market, ada, pass }) => {
  app.clock.shiftWallClock(2 * HOUR);
  await ada.type('/gig subscribe filter 101', 'data');
  await pass(MINUTE);
  app.clock.shiftWallClock(-2 * HOUR);
  await pass(MINUTE);
  await market.publish(SHOP).cardIn('data');
});

appTestWith({ reviews: true })(
  'an approval by such a clock is not sent, and the person hears why',
  async ({ desk, app, market, ada }) => {
    const { card, send } = await bidOn(desk, 'Waiting');
    await send();
    const review = await ada.press(card, 'Review');
    app.skew.ms = AHEAD;
    const refused = await review.send();
    expect(refused.text).toMatch(WRONG_CLOCK);
    expect(market.requests(PATHS.approve)).toEqual([]);
    await ada.close();
    app.skew.ms = 0;
    await (await ada.press(card, 'Review')).send();
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  },
);

const digestTest = appTestWith({ start: Date.parse('2026-11-24T09:30:00Z') });

digestTest.for([
  ['40 days', 40 * DAY],
  ['12 hours', 12 * HOUR],
] as const)(
  'a clock %s ahead for three minutes posts no digest, and none loses a project',
  async ([, ahead], { app, market, ada, pass }) => {
    const digests = () => ada.reads('web').filter(({ text }) => text.includes('Digest for'));
    const sleepUntil = async (time: string) => {
      app.clock.moveTo(Date.parse(time));
      await pass(2 * MINUTE);
    };
    await ada.type('/gig digest at 09:00 UTC daily');
    await market.publish({ ...SHOP, title: 'Before' }).cardIn('web');
    app.skew.ms = ahead;
    await pass(3 * MINUTE);
    expect((await ada.type('/gig digest now')).text).toContain('clock');
    expect(digests()).toEqual([]);
    app.skew.ms = 0;
    await pass(5 * MINUTE);
    await market.publish({ ...SHOP, title: 'Afterwards' }).cardIn('web');
    await sleepUntil('2026-11-25T09:00:00Z');
    await market.publish({ ...SHOP, title: 'Next day' }).cardIn('web');
    await sleepUntil('2026-11-26T09:00:00Z');
    const [first, second, ...more] = digests().map(({ text }) => text);
    expect(more).toEqual([]);
    for (const title of ['Before', 'Afterwards']) expect(first).toContain(title);
    expect(second).toContain('Next day');
    expect(first).not.toMatch(/missed|late/u);
  },
);

digestTest(
  'a clock that is 12 hours ahead at night ends no quiet hours',
  async ({ app, market, ada, pass }) => {
    const cards = () => ada.reads('web').filter((it) => it.offers('Details')).length;
    const hours = { 'Quiet from': '20:00', 'Quiet until': '08:00', 'Time zone': 'berlin' };
    const form = await (await ada.type('/gig settings')).press('Quiet Hours');
    await form.send({ 'Quiet hours': ['Every day'], ...hours });
    await ada.close();
    app.clock.moveTo(Date.parse('2026-11-24T22:00:00Z'));
    await pass(2 * MINUTE);
    market.publish({ ...SHOP, title: 'At night' });
    await pass(5 * MINUTE);
    app.skew.ms = 12 * HOUR;
    await pass(5 * MINUTE);
    app.skew.ms = 0;
    for (const [time, posted] of [
      ['06:55', 0],
      ['07:05', 1],
    ] as const) {
      app.clock.moveTo(Date.parse(`2026-11-25T${time}:00Z`));
      await pass(2 * MINUTE);
      expect(cards()).toBe(posted);
    }
  },
);
