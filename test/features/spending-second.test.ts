/** Second approvals: nothing above a limit goes out before enough other people approve just what is shown. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Input, Person } from '../kit/person.ts';
import { findPressable, type Message, offering } from '../kit/read-screen.ts';
import { type Desk, FILTER, letBid, PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const ABOVE = { 'Fixed-price bid': '600', 'Cover letter': 'Dear client' };
const LIMIT = 'Second approval above this amount';
const NEEDED = 'Number of second approvals';

/** Ben, cem and dan may bid, and the channel has these rules. */
async function begin(desk: Desk, rules: Input) {
  const [dan] = [desk.person('dan'), desk.person('cem')];
  await letBid(desk, ['ben', 'cem', 'dan']);
  await setRules(desk.person('ada'), rules);
  const published = desk.market.publish();
  return { card: await published.cardIn('web'), project: published.project, dan };
}

/** Ben's bid waits for second approvals. */
async function sendAbove(desk: Desk, rules: Input = {}) {
  const begun = await begin(desk, { [LIMIT]: '500', ...rules });
  await sendBid(desk.person('ben'), begun.card, ABOVE);
  return begun;
}

const newest = (card: Message): Message => offering(card, 'Cancel');
const approveBy = (person: Person, card: Message) => person.press(newest(card), 'Approve');
const textsOf = (card: Message) => card.replies().map((it) => it.text);

describe('a bid above a limit', () => {
  appTest(
    'goes out once, after as many other people as chosen approved it',
    async ({ desk, market, ada, ben, cem }) => {
      const { card } = await begin(desk, { [LIMIT]: '500', [NEEDED]: '2' });
      const told = await sendBid(ben, card, ABOVE);
      expect(told.text).toContain('the amount is above the limit');
      await desk.pass(HOUR);
      const request = newest(card);
      for (const part of ['Rebuild our checkout', 'Dear client', '*Fixed price:* $600', '@ada'])
        expect(request.text).toContain(part);
      await approveBy(ben, card);
      expect(request.text).toContain('0 of 2 second approvals');
      await approveBy(cem, card);
      await approveBy(cem, card);
      expect(request.text).toContain('1 of 2 second approvals: @cem');
      expect(market.jobs).toEqual([]);
      await approveBy(ada, card);
      expect(market.requests(PATHS.bid)).toHaveLength(1);
      expect(request.text).toContain('2 of 2 second approvals: @cem, @ada');
      expect((await ada.type('/gig audit')).text).toContain('gave a second approval to the bid');
    },
  );

  appTest.for(['Reject', 'Cancel'])('never goes out after %s', async (label, { desk, market, ada, cem }) => {
    const { card } = await sendAbove(desk);
    const seen = { ...newest(card) };
    const eve = desk.person('eve');
    for (const each of ['Approve', label]) await eve.press(newest(card), each);
    expect(newest(card).offers('Approve')).toBe(true);
    await cem.press(newest(card), label);
    await ada.press(seen, 'Approve');
    await desk.pass(HOUR);
    expect(market.jobs).toEqual([]);
    expect(textsOf(card).join('\n')).toMatch(label === 'Reject' ? /@cem rejected it/u : /@cem canceled it/u);
  });

  appTest('has its cancel window after the last approval', async ({ desk, market, ada, cem }) => {
    const { card } = await sendAbove(desk, { 'Cancel window': '1 minute' });
    await approveBy(ada, card);
    await desk.pass(30 * SECOND);
    expect(market.jobs).toEqual([]);
    expect(newest(card).offers('Approve')).toBe(false);
    await cem.press(newest(card), 'Cancel');
    await desk.pass(10 * MINUTE);
    expect(market.jobs).toEqual([]);
  });

  appTest('expires with the time for approvals: silence means no', async ({ desk, market, ada }) => {
    const settings = await (await ada.type('/gig settings')).press('Cards and Approvals');
    await settings.send({ 'Requests for approval': 'Open for 1 hour' });
    const { card } = await sendAbove(desk);
    const seen = { ...newest(card) };
    await desk.pass(30 * MINUTE);
    await desk.restart();
    expect(seen.offers('Approve')).toBe(true);
    await desk.pass(31 * MINUTE);
    await ada.press(seen, 'Approve');
    await desk.pass(HOUR);
    expect(market.jobs).toEqual([]);
    expect(textsOf(card).join('\n')).toContain('Not enough people approved it in time');
  });

  appTest.for(['lost the role', 'left the workspace'])(
    'counts nobody who %s since, and asks again',
    async (what, { desk, slack, market, ada, cem }) => {
      const { card, dan } = await sendAbove(desk, { [NEEDED]: '2' });
      await approveBy(cem, card);
      if (what === 'lost the role') await letBid(desk, ['ben', 'dan']);
      else slack.deactivate('cem');
      await desk.pass(30 * SECOND);
      await approveBy(dan, card);
      await desk.pass(10 * SECOND);
      expect(market.jobs).toEqual([]);
      expect(newest(card).text).toContain('1 of 2 second approvals: @dan');
      await approveBy(ada, card);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest.for([1, 8, 34])(
    'never goes out without it, whenever the process is killed (%i turns after Approve)',
    async (turns, { desk, slack, market, ada }) => {
      const { card } = await sendAbove(desk, { [NEEDED]: '2' });
      await approveBy(ada, card);
      const { shown } = newest(card);
      const button = shown && findPressable(shown, 'Approve');
      if (!(shown && 'message' in shown && button)) return expect.fail('no button');
      const at = { ...shown, ...button, value: button.value ?? '', confirm: 'accept', force: true } as const;
      const pressing = slack.press({ ...at, user: 'cem' }).catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await desk.restart();
      await pressing;
      await desk.pass(5 * MINUTE);
      const isApproved = textsOf(card).some((it) => it.includes('2 of 2 second approvals'));
      expect(market.requests(PATHS.bid)).toHaveLength(isApproved ? 1 : 0);
      expect(card.replies().some((it) => it.offers('Approve'))).toBe(!isApproved);
    },
  );

  appTest(
    'has one end if people approve, reject and cancel at once',
    async ({ desk, market, ada, ben, cem }) => {
      const { card, dan } = await sendAbove(desk);
      const seen = { ...newest(card) };
      const presses = [ada.press(seen, 'Approve'), cem.press(seen, 'Reject'), dan.press(seen, 'Approve')];
      await Promise.all([...presses, ben.press(seen, 'Cancel')]);
      await desk.pass(MINUTE);
      const isStopped = /canceled it|rejected it/u.test(textsOf(card).join('\n'));
      expect(market.requests(PATHS.bid)).toHaveLength(isStopped ? 0 : 1);
    },
  );

  appTest('is not joined by one that waited, on the same project', async ({ desk, market, ada, cem }) => {
    market.service.addSetup({ id: 8, name: 'Slow setup', filter: FILTER, status: 'active' });
    const { card, project } = await sendAbove(desk);
    await desk.pass(6 * MINUTE);
    const form = await cem.type(`/gig bid ${project.ciphertext}`);
    await form.send({ 'Bidding setup': 'Slow setup', 'Fixed-price bid': '100' });
    expect(market.jobs).toHaveLength(1);
    await approveBy(ada, card);
    await desk.pass(MINUTE);
    expect(market.jobs).toHaveLength(1);
    expect(textsOf(card).join('\n')).toContain('Another bid on this project was sent');
  });

  appTest('waits, too, when it is made from a direct message', async ({ desk, slack, market, ada }) => {
    await setRules(ada, { [LIMIT]: '500' });
    const { project } = market.publish();
    await desk.pass(MINUTE);
    expect(ada.inbox()).toEqual([]);
    const direct = slack.channels().find((it) => it.kind === 'im' && it.members.includes(ada.id));
    const found = await ada.type(`/gig lookup ${project.ciphertext}`, direct?.id);
    await sendBid(ada, found, { 'Fixed-price bid': '600' });
    await desk.pass(5 * MINUTE);
    expect(market.jobs).toEqual([]);
  });
});

describe('an approval above a limit', () => {
  /** Cem approved ben's bid, which asks for second approvals. */
  async function approveAbove(desk: Desk, rules: Input = {}) {
    const begun = await begin(desk, {});
    await sendBid(desk.person('ben'), begun.card, ABOVE);
    await setRules(desk.person('ada'), { [LIMIT]: '500', ...rules });
    const request = { ...offering(begun.card, 'Approve') };
    await desk.person('cem').press(request, 'Approve');
    return begun;
  }

  reviewed(
    'needs another person after the first, never the one who asked',
    async ({ desk, market, ben, cem }) => {
      const { card, dan } = await approveAbove(desk, {
        'Second approval options': ['Not by the person who asked'],
      });
      for (const person of [cem, ben]) await approveBy(person, card);
      expect(market.requests(PATHS.approve)).toEqual([]);
      await approveBy(dan, card);
      expect(market.requests(PATHS.approve)).toHaveLength(1);
    },
  );

  reviewed('ends with Reject, together with its request', async ({ desk, market }) => {
    const { card, dan } = await approveAbove(desk);
    await dan.press(newest(card), 'Reject');
    await desk.pass(HOUR);
    expect(market.requests(PATHS.approve)).toEqual([]);
    expect(offering(card, 'Ask Again').text).toContain('@dan rejected this bid');
  });

  reviewed('that nobody gives is told once, by its request, and truly', async ({ desk, ada }) => {
    const settings = await (await ada.type('/gig settings')).press('Cards and Approvals');
    await settings.send({ 'Requests for approval': 'Open for 1 hour' });
    const { card } = await approveAbove(desk);
    const before = card.replies().length;
    await desk.pass(2 * HOUR);
    const news = textsOf(card).slice(before);
    expect(news).toHaveLength(1);
    expect(news[0]).toContain('Not enough people approved');
    expect(textsOf(card).join('\n')).not.toContain('Nobody answered');
  });

  reviewed('starts again once the job has changed', async ({ desk, app, market, ada }) => {
    const { card, dan } = await approveAbove(desk, { [NEEDED]: '2' });
    await approveBy(ada, card);
    expect(newest(card).text).toContain('1 of 2 second approvals');
    const seen = { ...newest(card) };
    market.service.updateJob(market.jobs[0]?.id ?? 0, { scheduledAt: app.clock.now() + 9 * HOUR });
    await desk.pass(5 * MINUTE);
    const answer = await dan.press(seen, 'Approve');
    expect(answer.text).toContain('Scheduled');
    expect(newest(card).text).toContain('0 of 2 second approvals');
    await approveBy(ada, card);
    expect(market.requests(PATHS.approve)).toEqual([]);
    await approveBy(dan, card);
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });
});
