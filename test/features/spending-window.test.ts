/** The cancel window: a request waits with Cancel in sight, over restarts, and is sent once or never. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { findPressable, type Message, offering } from '../kit/read-screen.ts';
import { type Desk, letBid, PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });

/** Ben's bid waits for the end of the window; its card. */
async function sendWaiting(desk: Desk, window: string): Promise<Message> {
  await setRules(desk.person('ada'), { 'Cancel window': window });
  const card = await desk.market.publish().cardIn('web');
  await sendBid(desk.person('ben'), card, { 'Cover letter': 'Hello' });
  return card;
}

/** Ben presses Cancel some turns of the process from now; nothing waits for what it leads to. */
async function cancelSoon({ slack }: Desk, card: Message, turns: number): Promise<void> {
  const { shown } = offering(card, 'Cancel');
  const button = shown && findPressable(shown, 'Cancel');
  if (!(shown && 'message' in shown && button)) throw new Error('no button');
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  await slack.press({
    ...shown,
    ...button,
    user: 'ben',
    value: button.value ?? '',
    confirm: 'accept',
    force: true,
  });
}

const textsOf = (card: Message) => card.replies().map((it) => it.text);

describe('the form with the rules', () => {
  appTest('shows all mistakes at once, and announces and audits a change', async ({ ada, ben }) => {
    const form = await (await ada.type('/gig settings')).press('Spending Rules');
    const refused = await form.send({
      'Second approval above this amount': 'much',
      'Second approval above this many connects': '3.5',
      'Connects a week for this channel': '-1',
      'Connects a week for each person': 'all',
    });
    const mistakes = refused.text.split('\n').filter((line) => !form.text.includes(line));
    expect(mistakes).toHaveLength(4);
    await refused.send({
      'Cancel window': '30 seconds',
      'Second approval above this amount': '1,500',
      'Second approval above this many connects': '30',
      'Connects a week for this channel': '200',
      'Connects a week for each person': null,
    });
    const said = ben.reads('web').at(-1)?.text;
    for (const part of ['@ada', '30 seconds', '$1,500', '30 connects', '200 for the channel'])
      expect(said).toContain(part);
    await ada.close();
    expect((await ada.type('/gig audit')).text).toContain('cancel window');
    const again = await (await ada.type('/gig settings')).press('Spending Rules');
    expect(again.text).toContain('[1500]');
  });

  appTest('saves nothing over what another admin saved meanwhile', async ({ desk, ada }) => {
    const dan = desk.person('dan', { admin: true });
    const old = await (await dan.type('/gig settings')).press('Spending Rules');
    await setRules(ada, { 'Cancel window': '10 seconds' });
    await old.send({ 'Cancel window': '1 minute' });
    expect(dan.notes('web').at(-1)?.text).toContain("weren't saved");
    expect((await ada.type('/gig settings')).text).toContain('10 seconds');
  });
});

describe('the cancel window after Send', () => {
  appTest('has Cancel in sight, also after a kill, then the bid goes out once', async ({ desk, market }) => {
    const card = await sendWaiting(desk, '1 minute');
    expect(card.text).toContain('unless someone cancels it');
    await desk.restart();
    await desk.pass(30 * SECOND);
    expect(market.jobs).toEqual([]);
    expect(offering(card, 'Cancel').text).toContain('unless someone cancels it');
    await desk.pass(30 * SECOND);
    expect(market.jobs).toHaveLength(1);
    expect(card.replies().some((it) => it.offers('Cancel'))).toBe(false);
    await desk.restart();
    await desk.pass(HOUR);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });

  appTest(
    'sends nothing after Cancel, by anyone who may bid, until it is tried again',
    async ({ desk, market, ada, ben, cem }) => {
      const card = await sendWaiting(desk, '30 seconds');
      await cem.press(offering(card, 'Cancel'), 'Cancel');
      const before = textsOf(card).length;
      await ben.press(offering(card, 'Cancel'), 'Cancel');
      await desk.pass(HOUR);
      expect(market.jobs).toEqual([]);
      expect(card.text).toContain('not sent: it was canceled');
      // Who cancels an own bid knows; the message says it to the others.
      expect(textsOf(card)).toHaveLength(before);
      expect(textsOf(card).at(-1)).toContain('@ben canceled it');
      const again = await ben.press(card, 'Try Again');
      await again.send();
      await ben.close();
      const waiting = textsOf(card).length;
      await ada.press(offering(card, 'Cancel'), 'Cancel');
      expect(textsOf(card)).toHaveLength(waiting + 1);
      expect(textsOf(card).at(-1)).toMatch(/@ada.*@ben|@ben.*@ada/su);
      expect((await ada.type('/gig audit')).text).toMatch(/canceled the bid/u);
      await (await ben.press(card, 'Try Again')).send();
      await desk.pass(30 * SECOND);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest.for([0, 3, 14])(
    'decides once when Cancel comes as the bid is sent (%i turns later)',
    async (turns, { desk, market, pass }) => {
      const card = await sendWaiting(desk, '30 seconds');
      await pass(20 * SECOND - 1);
      expect(market.jobs).toEqual([]);
      const canceling = cancelSoon(desk, card, turns);
      await pass(2 * SECOND);
      await canceling;
      await pass(MINUTE);
      const isCanceled = textsOf(card).some((it) => it.includes('canceled it'));
      expect(market.requests(PATHS.bid)).toHaveLength(isCanceled ? 0 : 1);
    },
  );

  appTest.for([1, 5, 21])(
    'keeps what Cancel did when the process is killed %i turns later',
    async (turns, { desk, slack, market, pass }) => {
      const card = await sendWaiting(desk, '1 minute');
      const canceling = cancelSoon(desk, card, 0).catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await desk.restart();
      await canceling;
      await pass(5 * MINUTE);
      expect(slack.openRequests).toBe(0);
      const isCanceled = textsOf(card).some((it) => it.includes('canceled it'));
      expect(market.requests(PATHS.bid)).toHaveLength(isCanceled ? 0 : 1);
    },
  );

  appTest.for([
    ['a little late after a short pause', 10 * MINUTE, 1],
    ['never after a long one', HOUR, 0],
  ] as const)('sends %s', async ([, downMs, count], { desk, market, pass }) => {
    await sendWaiting(desk, '1 minute');
    await desk.restart(downMs);
    await pass(HOUR);
    expect(market.jobs).toHaveLength(count);
  });

  appTest.for(['lost the role', 'left the workspace'])(
    'sends nothing for a person who %s meanwhile',
    async (what, { desk, slack, market, pass }) => {
      const card = await sendWaiting(desk, '30 seconds');
      if (what === 'lost the role') await letBid(desk, []);
      else slack.deactivate('ben');
      await pass(2 * MINUTE);
      expect(market.jobs).toEqual([]);
      expect(textsOf(card).join('\n')).toContain("can't bid here anymore");
    },
  );

  appTest('lets no other bid on the project pass that did not see it', async ({ desk, market, ada, ben }) => {
    await setRules(ada, { 'Cancel window': '30 seconds' });
    const card = await market.publish().cardIn('web');
    const forms = [await ben.press(card, 'Bid'), await ada.press(card, 'Bid')];
    for (const form of forms) await form.send({ 'Bidding setup': 'Fast setup' });
    await desk.pass(MINUTE);
    expect(market.jobs).toHaveLength(1);
    expect(textsOf(card).join('\n')).toContain("@ben's bid");
  });
});

describe('the cancel window after Approve', () => {
  /** Ada's approval of ben's bid waits. */
  async function approveWaiting(desk: Desk, window: string): Promise<Message> {
    const card = await desk.market.publish().cardIn('web');
    await sendBid(desk.person('ben'), card, { 'Cover letter': 'Hello' });
    await setRules(desk.person('ada'), { 'Cancel window': window });
    await desk.person('ada').press(offering(card, 'Approve'), 'Approve');
    return card;
  }

  reviewed(
    'waits with Cancel in sight, also after a kill, then approves once',
    async ({ desk, market, ada }) => {
      const card = await approveWaiting(desk, '30 seconds');
      const before = textsOf(card).length;
      await ada.press(offering(card, 'Cancel'), 'Cancel');
      expect(textsOf(card)).toHaveLength(before);
      await desk.pass(MINUTE);
      expect(market.requests(PATHS.approve)).toEqual([]);
      await ada.press(offering(card, 'Approve'), 'Approve');
      await desk.restart();
      expect(market.requests(PATHS.approve)).toEqual([]);
      await desk.pass(30 * SECOND);
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      await desk.pass(HOUR);
      expect(market.requests(PATHS.approve)).toHaveLength(1);
    },
  );

  const CHANGES: readonly (readonly [string, (desk: Desk, job: number) => unknown, RegExp])[] = [
    [
      'has another time',
      ({ app, market }, job) => market.service.updateJob(job, { scheduledAt: app.clock.now() + 9 * HOUR }),
      /changed while it waited.*Scheduled: .* → /su,
    ],
    [
      'needs no approval anymore',
      ({ market }, job) => market.service.updateJob(job, { status: 'scheduled' }),
      /doesn't need approval anymore/u,
    ],
    [
      'is gone',
      ({ market }) => market.fail(PATHS.bidStatus, presetFaults.status(404, 'Job not found'), 1_000),
      /no longer in the marketplace.*was deleted/su,
    ],
    [
      'cannot be read',
      ({ market }) => market.fail(PATHS.bidStatus, presetFaults.status(403, 'Not you'), 1_000),
      /couldn't reach Slack or the marketplace/u,
    ],
  ];
  reviewed.for(CHANGES)(
    'approves nothing and says why once the bid %s',
    async ([, change, why], { desk, market }) => {
      const card = await approveWaiting(desk, '1 minute');
      change(desk, market.jobs[0]?.id ?? 0);
      const reads = market.requests(PATHS.bidStatus).length;
      await desk.pass(20 * MINUTE);
      expect(market.requests(PATHS.approve)).toEqual([]);
      expect(textsOf(card).join('\n')).toMatch(why);
      // It is read ever more rarely while it can't be.
      expect(market.requests(PATHS.bidStatus).length - reads).toBeLessThan(40);
    },
  );
});
