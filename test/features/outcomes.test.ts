/** What becomes of proposals is told once, where it matters: in messages, threads and lists. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import type { SimulatedProposal } from '../../src/workbench/marketplace/records.ts';
import { appTestWith, appTest as biddingTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, sendBid } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });
const PROFILE = 31;
/** Longer than between two reads of the newest proposals. */
const READ_MS = 3 * MINUTE;
const NOTHING_YET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  isInvitation: false,
  boostOutbid: false,
};

/** `count` proposals, of which nothing is known yet: Job 1, Job 2, … */
function send({ app, market }: Desk, count: number, known: Partial<SimulatedProposal> = {}) {
  return Array.from({ length: count }, (_, n) => {
    const jobTitle = `Job ${n + 1}.`;
    const submittedAt = app.clock.now() + n;
    return market.service.addProposal({
      profileId: PROFILE,
      jobTitle,
      submittedAt,
      ...NOTHING_YET,
      ...known,
    });
  });
}

/** Changes proposals, and waits until that is read. */
async function turn(
  { market, pass }: Desk,
  proposals: readonly SimulatedProposal[],
  change: Partial<SimulatedProposal>,
): Promise<void> {
  for (const { id } of proposals) market.service.updateProposal(id, change);
  await pass(READ_MS);
}

/** Ada follows the profile in a channel, which gets as much as `level` says. */
async function follow({ person, pass }: Desk, channel: string, level: string): Promise<void> {
  const ada = person('ada');
  await ada.type(`/gig subscribe outcomes ${PROFILE}`, channel);
  const settings = await ada.type('/gig settings', channel);
  await (await settings.press('Updates')).send({ 'Updates in this channel': level });
  await ada.close();
  await pass(READ_MS);
}

/** The first line of each message about outcomes in a channel. */
function toldIn(reader: Person, channel = 'web'): readonly string[] {
  const lines = reader
    .reads(channel)
    .map(({ text }) => text.split('\n')[0]?.replace(/^:\w+: |\*/gu, '') ?? '');
  return lines.filter((line) =>
    /^(?:Viewed|Interviewed|Hired|Boost outbid|Withdrawn|Updates on)\b/u.test(line),
  );
}

describe('an outcome', () => {
  appTest(
    'is told once in each channel that follows, with what matters',
    async ({ desk, market, ada, pass }) => {
      market.service.addProfile({ id: PROFILE, label: 'Ada Webb' });
      const submittedAt = desk.app.clock.now() - HOUR;
      const past = send(desk, 1, { isViewed: true, isHired: true, jobTitle: 'Past', submittedAt });
      await follow(desk, 'web', 'Everything');
      await follow(desk, 'data', 'Everything');
      expect(toldIn(ada)).toEqual([]);
      const sender = {
        freelancer: { id: 3, fullName: 'Ana Silva' },
        connects: 16,
        boost: 10,
        submissionPosition: 3,
      };
      const [job = expect.fail()] = send(desk, 1, sender);
      await pass(READ_MS);
      await turn(desk, [job], { isViewed: true, isInterviewed: true });
      for (const channel of ['web', 'data'])
        expect(toldIn(ada, channel)).toEqual(['Interviewed, viewed: Job 1.']);
      const facts = ['Ana Silva', 'Ada Webb', '16 connects', 'boost 10', 'position 3'];
      for (const fact of facts) expect(ada.reads('web').at(-1)?.text).toContain(fact);
      // What goes and comes again is no news, neither after a restart nor of the past.
      await turn(desk, [job, ...past], { isViewed: false, isHired: false });
      await desk.restart();
      await turn(desk, [job, ...past], { isViewed: true });
      await turn(desk, [job], { isHired: true });
      expect(toldIn(ada)).toEqual(['Interviewed, viewed: Job 1.', 'Hired: Job 1.']);
      // What happened while nobody followed is the past.
      for (const channel of ['web', 'data'])
        await (await ada.type(`/gig list ${PROFILE}`, channel)).press('Unsubscribe');
      await turn(desk, [job], { boostOutbid: true });
      await ada.type(`/gig subscribe outcomes ${PROFILE}`);
      await pass(READ_MS);
      expect(toldIn(ada)).toHaveLength(2);
      await turn(desk, [job], { isWithdrawn: true });
      expect(toldIn(ada).at(-1)).toBe('Withdrawn: Job 1.');
      expect(market.service.consumedCredits().total).toBe(0);
    },
  );

  biddingTest(
    'of a bid is told in its thread, a hire also as a message',
    async ({ desk, market, ada, ben }) => {
      market.service.addProfile({ id: PROFILE, label: 'Ada Webb' });
      await follow(desk, 'web', 'Everything');
      await follow(desk, 'data', 'Everything');
      const card = await market.publish().cardIn('web');
      await sendBid(ben, card);
      const proposal = market.service.turnJobIntoProposal(market.jobs[0]?.id ?? 0);
      await desk.pass(READ_MS);
      const told = () => card.replies().filter(({ text }) => /viewed|hired/u.test(text));
      await turn(desk, [proposal], { isViewed: true, submissionPosition: 4 });
      expect(told()).toHaveLength(1);
      expect(card.text).toMatch(/viewed/iu);
      expect(toldIn(ada)).toEqual([]);
      expect(toldIn(ada, 'data')).toEqual(['Viewed: Rebuild our checkout']);
      await turn(desk, [proposal], { isHired: true });
      expect(told()).toHaveLength(2);
      expect(toldIn(ada)).toEqual(['Hired: Rebuild our checkout']);
      expect(toldIn(ada, 'data')).toHaveLength(2);
      await ada.type('/gig digest now');
      expect(ada.reads('web').at(-1)?.text).toContain('1 hired, 1 viewed');
    },
  );
});

describe('many outcomes', () => {
  appTest('are as many messages as the channel’s level wants, and a list', async ({ desk, slack, ada }) => {
    slack.addChannel({ name: 'calm' });
    slack.invite('calm', 'ada');
    desk.market.service.addProfile({ id: PROFILE });
    await follow(desk, 'web', 'Everything');
    await follow(desk, 'data', 'Normal');
    await follow(desk, 'calm', 'Quiet');
    const jobs = send(desk, 30);
    await desk.pass(READ_MS);
    const [views, interviews, hires] = [jobs.slice(0, 14), jobs.slice(14, 26), jobs.slice(26)];
    for (const { id } of views) desk.market.service.updateProposal(id, { isViewed: true });
    for (const { id } of interviews) desk.market.service.updateProposal(id, { isInterviewed: true });
    await turn(desk, hires, { isHired: true });
    const count = (channel: string, words: RegExp) =>
      toldIn(ada, channel).filter((line) => words.test(line)).length;
    expect([count('web', /^Hired/u), count('web', /^Interviewed/u), count('web', /^Viewed/u)]).toEqual([
      4, 6, 0,
    ]);
    expect(toldIn(ada).at(-1)).toMatch(/^Updates on 20 more.*14 viewed, 6 interviewed/u);
    expect([count('data', /^Hired/u), count('data', /^Interviewed/u)]).toEqual([4, 3]);
    const lists = ada.reads('data').filter(({ text }) => text.startsWith('Updates on'));
    expect(lists.map(({ text }) => text.split('\n')[0])).toEqual([
      'Updates on 9 more proposals: 9 interviewed',
      'Updates on 14 proposals: 14 viewed',
    ]);
    expect(toldIn(ada, 'calm').join('\n')).not.toMatch(/\bviewed\b/iu);
    expect(count('calm', /^Hired/u)).toBe(4);
    const [list = expect.fail()] = lists;
    expect((await ada.press(list, 'Job 15')).text).toContain('Job 15.');
    await ada.close();
    expect((await ada.press(ada.reads('web').at(-1) ?? list, '14 viewed')).text).toContain('is:viewed');
  });

  appTest('that are small share one message an hour, which grows', async ({ desk, ada, pass }) => {
    desk.market.service.addProfile({ id: PROFILE });
    await follow(desk, 'web', 'Normal');
    const [one = expect.fail(), two = expect.fail(), three = expect.fail(), ...more] = send(desk, 4);
    await pass(READ_MS);
    await turn(desk, [one, two], { isViewed: true });
    expect(toldIn(ada)).toEqual(['Updates on 2 proposals: 2 viewed']);
    await pass(40 * MINUTE);
    await turn(desk, [three], { isWithdrawn: true });
    expect(toldIn(ada)).toEqual(['Updates on 3 proposals: 2 viewed, 1 withdrawn']);
    await pass(HOUR);
    await turn(desk, more, { isViewed: true });
    expect(toldIn(ada).at(-1)).toBe('Updates on 1 proposal: 1 viewed');
    expect(toldIn(ada)).toHaveLength(2);
  });

  appTestWith({ empty: true, start: Date.UTC(2026, 10, 20, 20) })(
    'wait for the end of quiet hours, and none is lost',
    async ({ desk, ada, pass }) => {
      desk.market.service.addProfile({ id: PROFILE });
      await follow(desk, 'web', 'Everything');
      const settings = await ada.type('/gig settings');
      const quiet = { 'Quiet hours': 'Every day', 'Quiet from': '21:00', 'Quiet until': '22:00' };
      await (await settings.press('Quiet Hours')).send(quiet);
      await ada.close();
      const jobs = send(desk, 2);
      await pass(HOUR);
      await turn(desk, jobs, { isHired: true });
      expect(toldIn(ada)).toEqual([]);
      await pass(HOUR);
      expect(toldIn(ada)).toEqual(['Hired: Job 1.', 'Hired: Job 2.']);
    },
  );
});
