/** Outcomes of a followed profile's proposals: each told once, on the card of a bid of ours. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith, appTest as withFilter } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const appTest = appTestWith({
  empty: true,
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});

const PROFILE = 31;
const QUIET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  boostOutbid: false,
};

/** At the level “Everything”, where each update is a message. */
async function follow(desk: Desk): Promise<void> {
  const ada = desk.person('ada');
  desk.market.service.addProfile({ id: PROFILE, label: 'Ana Webb' });
  desk.market.service.addProposal({ profileId: PROFILE, jobTitle: 'Of the past', isHired: true });
  await ada.type(`/gig subscribe outcomes ${PROFILE}`);
  const settings = await ada.type('/gig settings');
  await (await settings.press('Updates')).send({ 'Updates in this channel': 'Everything' });
  await ada.close();
  await desk.pass(3 * MINUTE);
}

const propose = ({ market }: Desk, jobTitle: string, more: object = {}) =>
  market.service.addProposal({ profileId: PROFILE, jobTitle, ...QUIET, ...more });

/** What the channel reads about a proposal. */
const told = (by: Person, title: string | RegExp) =>
  by
    .reads('web')
    .map((it) => it.text)
    .filter((it) => it.match(title));

appTest(
  'is told once each, however often it comes, and nothing of the past',
  async ({ desk, market, ada }) => {
    await follow(desk);
    const { id } = propose(desk, 'Chairs in Vue');
    await desk.pass(5 * MINUTE);
    expect(told(ada, 'Chairs in Vue')).toEqual([]);
    for (let round = 0; round < 4; round++) {
      market.service.updateProposal(id, { isViewed: round % 2 === 0, boostOutbid: round % 3 === 0 });
      await desk.pass(5 * MINUTE);
    }
    // What a proposal is called is known while the list lacks it.
    market.service.setModes({ missingFields: ['applicationUid', 'submittedAt', 'jobDetails', 'freelancer'] });
    market.service.updateProposal(id, { isInterviewed: true });
    await desk.pass(5 * MINUTE);
    market.service.setModes({
      missingFields: [],
      nullFields: ['applicationUid', 'submittedAt', 'jobDetails'],
    });
    market.service.updateProposal(id, { isHired: true });
    await desk.pass(30 * MINUTE);
    const texts = told(ada, 'Chairs in Vue');
    for (const word of [/viewed/iu, /outbid/iu, /interviewed/iu, /hired/iu])
      expect(texts.filter((it) => it.match(word))).not.toEqual([]);
    expect(texts).toHaveLength(3);
    expect(told(ada, 'Of the past')).toEqual([]);
  },
);

appTest(
  'of old proposals are found by the daily sweep; many are summed up',
  async ({ desk, market, ada }) => {
    await follow(desk);
    const { app } = desk;
    const all = Array.from({ length: 150 }, (_, n) =>
      propose(desk, `Job ${n}`, { submittedAt: app.clock.now() - n * MINUTE }),
    );
    await desk.pass(10 * MINUTE);
    for (const [n, { id }] of all.entries())
      market.service.updateProposal(id, { isViewed: true, isHired: n % 100 === 7 });
    for (let part = 0; part < 10; part++) {
      app.clock.moveBy(5 * HOUR);
      await desk.pass(4 * MINUTE);
    }
    for (const n of [7, 107]) expect(told(ada, new RegExp(`Job ${n}\\b`, 'u')), String(n)).toHaveLength(1);
    const isSum = (text: string) => text.includes('Updates on');
    const single = () => told(ada, /Job \d+/u).filter((it) => !isSum(it)).length;
    const summed = told(ada, 'Updates on').map((it) => Number(/Updates on (\d+)/u.exec(it)?.[1]));
    const before = single();
    expect(before).toBeLessThanOrEqual(40);
    expect(summed.reduce((sum, count) => sum + count, before)).toBe(150);
    await desk.restart();
    await desk.pass(20 * MINUTE);
    expect(single()).toBe(before);
  },
);

withFilter(
  'of a bid of ours stands on its card and in its thread alone',
  async ({ desk, market, ada, ben }) => {
    await follow(desk);
    const card = await market.publish({ title: 'Our own bid', clientQuestions: [] }).cardIn('web');
    await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup' });
    const { id, applicationUid } = propose(desk, 'Our own bid');
    market.service.updateJob(market.jobs[0]?.id ?? 0, { status: 'completed', applicationUid });
    await desk.pass(15 * MINUTE);
    market.service.updateProposal(id, { isViewed: true, isInterviewed: true });
    await desk.pass(15 * MINUTE);
    expect(card.text).toMatch(/interview/iu);
    expect(card.offers('Proposal')).toBe(true);
    expect(card.replies().at(-1)?.text).toMatch(/interview/iu);
    expect(told(ada, 'Our own bid')).toHaveLength(1);
  },
);

appTest('a profile that disconnects in the first copy resumes, by command at once', async ({ desk, ada }) => {
  const { market, app } = desk;
  market.service.addProfile({ id: PROFILE, label: 'Ana Webb' });
  for (let n = 0; n < 450; n++)
    propose(desk, `Job ${n}`, { submittedAt: app.clock.now() - (n + 1) * HOUR, isHired: true });
  market.service.setRequestsPerMinute(2);
  await ada.type(`/gig subscribe outcomes ${PROFILE}`);
  await desk.pass(MINUTE);
  expect((await ada.type('/gig list')).text).toContain('copying proposals');
  const gone = market.fail(PATHS.proposals, presetFaults.status(404, 'Profile not found'), 1_000);
  await desk.pass(HOUR);
  expect(told(ada, 'stopped arriving')).toHaveLength(1);
  const denied = await ada.type(`/gig subscribe outcomes ${PROFILE}`);
  expect(denied.text).toContain("Couldn't find “Ana Webb” (31)");
  await desk.restart();
  gone.cancel();
  await desk.pass(MINUTE);
  expect((await ada.type(`/gig subscribe outcomes ${PROFILE}`)).text).toContain('works again');
  market.service.setRequestsPerMinute(500);
  await desk.pass(10 * MINUTE);
  expect((await ada.type('/gig proposals')).text).toContain('450');
  expect(told(ada, /Job \d/u)).toEqual([]);
});

appTest('a profile without a proposal is followed, searched, and says so', async ({ desk, market, ada }) => {
  market.service.addProfile({ id: PROFILE, label: 'Ana Webb' });
  const followed = await ada.type(`/gig subscribe outcomes ${PROFILE}`);
  expect(followed.text).toContain('no proposals there yet');
  await desk.pass(10 * MINUTE);
  expect((await ada.type('/gig proposals')).text).toContain('no proposals yet');
  expect((await ada.type('/gig proposals is:hired')).text).toContain('No proposals match');
});
