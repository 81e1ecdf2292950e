/** A private channel in which two people do all that the app offers, to get a request of every kind. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { offering } from '../kit/read-screen.ts';
import {
  ALL_HOURS,
  type Desk,
  FAST_SETUP,
  FILTER,
  letBid,
  PATHS,
  SHOP,
  setRules,
  startDesk,
} from '../kit/start-desk.ts';
import { Crawl, type Step } from './press-crawl.ts';

/** All that show something. */
export const COMMANDS = (
  '|help list|list|list 101|status|access|setups|results 101|proposals|proposals is:hired zzz|stats|' +
  'digest at 09:00|digest now|subscribe filter 101 budget:>0 backfill 100|subscribe|template|template new|' +
  'template from 61|template drafts|follow 101|settings|budget|audit|job 1'
).split('|');

/** What strangers may write. The kit refuses all that would reach people or break a text. */
const STRANGE = '<!channel> <https://evil.example|x> *b* `c` \u202E\u0000 &lt;!here&gt; ```';
const BID = { 'Bidding setup': FAST_SETUP.name, 'Cover letter': 'Our letter', 'Fixed-price bid': '40' };
const LONG = { 'Cover letter': 'Our hidden letter '.repeat(100) };
const DEAR = { 'Fixed-price bid': '100' };
const WATCHED = {
  'Targets and nudges': ['Show targets'],
  'Nudge the person': 2,
  'Claims without': 6,
  ...ALL_HOURS,
};

/**
 * `ada` is admin, `ben` bids in `board`; `cem`, `kim` and guests are in it, and `dan` only elsewhere. `lea`
 * may bid, but leaves it. @param text the next text of a stranger
 */
export async function startBoard(text: () => string = () => STRANGE): Promise<Desk> {
  const desk = await startDesk({
    empty: true,
    requestsPerMinute: 500,
    env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
  });
  const { slack, market } = desk;
  const { service } = market;
  slack.setRateLimits('off');
  const people = ['ada', 'ben', 'cem', 'kim', 'lea'].map((name) => desk.person(name).id);
  desk.person('dan');
  slack.addUser({ name: 'gus', guest: 'multi' });
  slack.addUser({ name: 'sam', stranger: true });
  const members = [...people, ...['gus', 'sam'].map((name) => slack.user(name).id)];
  for (const name of ['board', 'annex']) slack.addChannel({ name, private: true, members });
  service.addFilter(FILTER);
  service.addFilter({ id: 103, name: 'Public filter' });
  service.addFilter({ id: 102, name: `Hidden filter ${text()}`, qualifier: true });
  for (let n = 0; n < 14; n++) {
    const project = service.publishProject([101, 102], {
      ...SHOP,
      title: `Hidden past ${n} ${text()}`,
      description: text(),
      skills: [text(), text()],
      categories: [text()],
      clientQuestions: [text()],
      durationLabel: text(),
      engagementLabel: text(),
      experienceLevel: text(),
      client: { country: text(), city: text(), industry: text() },
    });
    service.setVerdict(project.id, { decision: 'qualified', reason: text() }, [102]);
    if (n === 13)
      service.addJob({
        id: 1,
        projectId: project.id,
        setupId: 7,
        status: 'failed',
        errorMessage: text(),
        reason: text(),
      });
  }
  for (let n = 0; n < 12; n++) service.addResult({ filterId: 101 });
  for (let n = 0; n < 12; n++)
    service.addSetup({ name: `Hidden setup ${n} ${text()}`, schedule: text(), timezone: text() });
  service.addOrganization({
    id: 401,
    label: `Studio ${text()}`,
    type: 'agency',
    contractors: [{ uid: 'c-1', name: `Ana ${text()}` }],
  });
  service.addProfile({ id: 301, label: `Hidden profile ${text()}`, type: 'freelancer' });
  const letters = { variant_a: `One letter ${text()}`, variant_b: text() };
  service.addTemplate({ id: 61, name: 'Hidden template', cover_letters: letters });
  service.addSetup({
    ...FAST_SETUP,
    filter: FILTER,
    status: 'active',
    biddingDelayMinutes: 5,
    reviewsJobs: true,
    biddingTemplate: { id: 61, name: 'Hidden template' },
  });
  for (let n = 0; n < 12; n++)
    service.addProposal({
      profileId: 301,
      isHired: n < 2,
      coverLetter: `Hidden proposal ${n} ${text()}`,
      coverLetterVariant: text(),
      occupationTitle: text(),
      jobTitle: text(),
      answers: [{ question: text(), answer: text() }],
    });
  return desk;
}

/** Does everything at least once, by `step`. */
export async function playEverything(desk: Desk, step: Step): Promise<void> {
  const { slack, market, pass } = desk;
  const { service } = market;
  const [ada, ben, kim] = [desk.person('ada'), desk.person('ben'), desk.person('kim')];
  const crawl = new Crawl(desk, step);
  const say = async (who: typeof ada, line: string, channel = 'board') => {
    await who.type(`/gig ${line}`, channel);
    await crawl.run(who);
  };
  const ids = service.projects().map((it) => it.ciphertext);
  for (const line of ['subscribe filter 101', 'subscribe invitations 301', 'subscribe outcomes 301'])
    await ada.type(`/gig ${line}`, 'board');
  await ada.type('/gig subscribe filter 103', 'data');
  await letBid(desk, ['ben', 'lea'], 'board');
  slack.remove('board', 'lea');
  await (await ada.type('/gig access', 'data')).send({ Admins: ['dan'] });
  await ada.close();
  await ben.type(`/gig lookup ${ids[0]}`, 'annex');
  await say(ada, `lookup ${ids[0]}`, 'annex');
  await ada.type('/gig subscribe filter 102', 'annex');
  await ben.type('/gig follow 101', 'board');
  await pass(20 * SECOND);
  const card = await market.publish({ ...SHOP, title: 'Hidden job' }).cardIn('board');
  const other = market.publish({ ...SHOP, title: 'Hidden other job' });
  const otherCard = await other.cardIn('board');
  service.addInvitation({ profileId: 301, title: `Hidden invitation ${STRANGE}`, invitationLetter: STRANGE });
  await pass(3 * MINUTE);
  const bid = async (number: number, input = {}) => {
    await (await ben.type(`/gig bid ${ids[number]}`, 'board')).send({ ...BID, ...input });
    await ben.close();
  };
  await (await ben.press(card, 'Bid')).send({ ...BID, ...LONG });
  await ben.close();
  for (const n of [1, 2, 3]) await bid(n, n < 3 ? LONG : {});
  market.fail(PATHS.bid, { kind: 'drop', when: 'after' });
  await bid(4);
  await crawl.run(kim, await kim.press(offering(card, 'Review'), 'Review'));
  await crawl.run(ada, offering(card, 'Review'));
  crawl.forget('job_review');
  await ada.home();
  await crawl.run(ada);
  await ben.home();
  await crawl.run(ben);
  for (let turn = 0; turn < 3; turn++) {
    for (const id of ['card_details', 'card_release']) crawl.forget(id);
    await crawl.run(ada, otherCard);
  }
  await (await ben.type(`/gig bid ${ids[5]}`, 'board')).press('Use', { 'Cover letter': 'Mine' });
  await crawl.run(ben);
  await setRules(ada, { 'Second approval above this amount': '50' }, 'board');
  for (const n of [6, 7, 8, 9, 10]) await bid(n, n < 8 ? { ...DEAR, ...LONG } : DEAR);
  await ada.home();
  await crawl.run(ada);
  await ben.home();
  await crawl.run(ben);
  for (const line of COMMANDS) await say(ada, line);
  await (await (await ada.type('/gig settings', 'board')).press('Response Times')).send(WATCHED);
  await ada.close();
  const short = service.jobs().find((it) => it.coverLetter === BID['Cover letter']);
  if (short) service.turnJobIntoProposal(short.id);
  const last = market.publish({ ...SHOP, title: 'Hidden last job' });
  await last.cardIn('board');
  await pass(3 * MINUTE);
  await crawl.run(ben);
  await pass(4 * MINUTE);
  await crawl.run(ben);
  await pass(20 * MINUTE);
  await crawl.run(ben);
  await say(ada, 'pause 2h');
  await say(ada, '', 'data');
  crawl.forget('lookup_claim');
  await say(ada, `lookup ${last.project.ciphertext}`, 'data');
  const urls = [last.project.url];
  const { message } = await slack.postLinks({ user: 'ada', channel: 'board', urls });
  await slack.messageShortcut({ user: 'ada', message, callbackId: 'look_up_project' });
  await pass(2 * SECOND);
  await crawl.run(ada);
  for (const id of ['home_review', 'job_reject']) crawl.forget(id);
  await bid(11, LONG);
  await ada.home();
  await crawl.run(ada);
  for (const who of [ben, ada]) {
    await who.home();
    await crawl.run(who);
    await crawl.end(who);
  }
}
