/** Cards and what people do with them, as they read on the screen. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Message, Screen } from '../kit/read-screen.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const CLIENT: ProjectSeed['client'] = {
  country: 'Norway',
  city: 'Oslo',
  timezone: 'Europe/Oslo',
  utcOffsetMinutes: 60,
  paymentMethodVerified: true,
  phoneVerified: true,
  totalSpent: 12_300,
  totalHires: 45,
  hireRate: 0.8,
  rating: 4.9,
  reviews: 32,
  industry: 'Retail',
  companySize: '10',
  avgHourlyRatePaid: 41.5,
  jobsPosted: 56,
  jobsOpen: 2,
  jobsActive: 1,
  registeredAt: Date.parse('2019-05-01'),
};

/** Everything that a card and its details show is said here, so that pictures don't change by chance. */
const CHECKOUT: ProjectSeed = {
  title: 'Rebuild our checkout',
  description: 'We sell garden furniture and lose every third customer at the checkout. Help us.',
  skills: ['React', 'TypeScript'],
  categories: ['Web development'],
  clientQuestions: ['Which shops have you built?'],
  budget: { type: 'fixed', fixedAmount: 700 },
  connectsPrice: 16,
  durationLabel: '1 to 3 months',
  engagementLabel: '30+ hrs/week',
  experienceLevel: 'Expert',
  usOnly: false,
  ukOnly: false,
  client: CLIENT,
  workHistory: [
    {
      status: 'closed',
      start_date: '2025-01-10',
      end_date: '2025-03-01',
      total_hours: 96,
      total_charge: 4_200,
      contractor_name: 'Ana L.',
      feedback: { score: 5, comment: 'Good' },
      feedback_to_client: { score: 4.8, comment: 'Clear and quick to pay.' },
      rate: { amount: 40 },
      job_info: {
        uid: '1',
        title: 'Shop migration',
        type: 'hourly',
        url: 'https://www.marketplace.example/jobs/~01',
      },
    },
  ],
};

const reviewed = appTestWith({ reviews: true });

type Picture = Pick<Screen, 'text'> | undefined;

function expectPictures(pictures: Readonly<Record<string, Picture>>): void {
  const texts = Object.entries(pictures).map(([name, it]) => `## ${name}\n${it?.text ?? 'nothing'}`);
  expect(`\n${texts.join('\n\n').replace(/ {3,}/gu, '  ').replace(/ +$/gmu, '')}\n`).toMatchSnapshot();
}

/** How it looks now; what was shown changes later. */
const still = ({ text }: Screen): Picture => ({ text });
/** The part of a card that changes when people do something with it. */
const foot = ({ text }: Screen): Picture => ({ text: text.slice(text.indexOf('Filter:')) });
const lastNote = (person: Person) => person.notes('web').at(-1);

/** A filter with an AI qualifier that judges against the project. */
async function publishJudged({ market, person, pass }: Desk) {
  market.service.addFilter({ id: 102, name: 'Shops', qualifier: true });
  await person('ada').type('/gig subscribe filter 102');
  await pass(20 * SECOND);
  const published = market.publish(CHECKOUT, [101, 102]);
  const verdict = { decision: 'disqualified', reason: 'Pays too little for a shop' } as const;
  market.service.setVerdict(published.project.id, verdict);
  return published.cardIn('web');
}

appTest('a card, its details, and what was looked up', async ({ desk, market, ada }) => {
  const card = await publishJudged(desk);
  const fresh = still(card);
  const details = await ada.press(card, 'Details');
  const free = still(details);
  const full = await details.press('Look Up');
  const share = await full.press('Share');
  await ada.close();
  const weak = market.publish({
    ...CHECKOUT,
    title: 'Begin with a free test',
    description: `Write me on Telegram. ${'We need much more than this. '.repeat(20)}`,
    client: { ...CLIENT, paymentMethodVerified: false, hireRate: 0.2, rating: 3.1, totalSpent: 0 },
  });
  const flagged = await weak.cardIn('web');
  const parts = await ada.type('/gig settings');
  const buttons = { Threads: 'Move description', 'Buttons on project cards': ['Bid', 'Details'] };
  await (await parts.press('Cards and Approvals')).send(buttons);
  const lean = await market.publish({ ...CHECKOUT, title: 'With its details below' }).cardIn('web');
  await (await parts.press('Updates')).send({ 'Card layout': 'Compact' });
  await ada.close();
  const compact = await market.publish({ ...CHECKOUT, title: 'A compact card' }).cardIn('web');
  const [below] = lean.replies();
  expectPictures({ fresh, free, full, share, flagged, lean, below, compact });
});

appTest('claims, assignments, skips and mutes', async ({ market, ada, ben, cem }) => {
  const card = await market.publish(CHECKOUT).cardIn('web');
  const open = await cem.press(card, 'Skip');
  await ben.press(card, 'Claim');
  const claimed = foot(card);
  const held = await open.send();
  const assign = await ada.press(card, 'Assign');
  await assign.send({ 'Assign to': 'cem' });
  const assigned = foot(card);
  const [told] = cem.inbox();
  await cem.press(card, 'Release');
  const skip = await ben.press(card, 'Skip');
  const mute = await cem.press(card, 'Mute');
  await mute.send({ 'What to mute': 'Client country' });
  const confirmed = lastNote(cem);
  const announced = ada.reads('web').findLast((it) => it.offers('Unmute'));
  await skip.send({ Reason: 'Budget too low' });
  expectPictures({ claimed, held, assign, assigned, told, skip, mute, confirmed, announced, skipped: card });
});

/** Ben's bid on a project of its own. */
async function bidOn({ market, person }: Desk, title: string): Promise<Message> {
  const ben = person('ben');
  const card = await market.publish({ ...CHECKOUT, title }).cardIn('web');
  const form = await ben.press(card, 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price bid': '600' });
  await ben.close();
  return card;
}

appTest('a card tells how its bids went', async ({ desk, market, pass }) => {
  const bidThatBecomes = async (title: string, change: Parameters<typeof market.service.updateJob>[1]) => {
    const card = await bidOn(desk, title);
    market.service.updateJob(market.jobs.at(-1)?.id ?? 0, change);
    return card;
  };
  const scheduled = await bidOn(desk, 'Scheduled');
  const failed = await bidThatBecomes('Failed', {
    status: 'failed',
    errorMessage: 'Out of connects',
    retryCount: 2,
  });
  const skipped = await bidThatBecomes('Skipped', { status: 'skipped', reason: 'Only for the US' });
  const sent = await bidOn(desk, 'Sent');
  market.service.turnJobIntoProposal(market.jobs.at(-1)?.id ?? 0);
  await pass(2 * MINUTE);
  market.fail(PATHS.bid, presetFaults.status(400));
  const refused = await bidOn(desk, 'Refused');
  market.fail(PATHS.bid, { kind: 'drop', when: 'after' });
  const unknown = await bidOn(desk, 'Unknown');
  market.fail(PATHS.bid, { kind: 'hold-headers' });
  const sending = await bidOn(desk, 'Sending');
  const cards = { scheduled, failed, skipped, sent, refused, unknown, sending };
  expectPictures(Object.fromEntries(Object.entries(cards).map(([name, card]) => [name, foot(card)])));
});

reviewed('a card tells how an approval went', async ({ desk, market, ada }) => {
  const approve = async (title: string) => {
    const card = await bidOn(desk, title);
    await (await ada.press(card, 'Review')).send();
    await ada.close();
    return card;
  };
  const waiting = await bidOn(desk, 'Waiting');
  const approved = await approve('Approved');
  market.fail(PATHS.approve, presetFaults.status(400));
  const refused = await approve('Not approved');
  const rejected = await bidOn(desk, 'Rejected');
  const reason = await (await ada.press(rejected, 'Review')).press('Reject');
  await reason.send({ Reason: 'Too cheap' });
  await ada.close();
  market.fail(PATHS.approve, { kind: 'hold-headers' });
  const sending = await approve('Sending');
  const cards = { waiting, approved, refused, rejected, sending };
  expectPictures(Object.fromEntries(Object.entries(cards).map(([name, card]) => [name, foot(card)])));
});

appTest('lookups', async ({ desk, market, slack, ada, ben, cem }) => {
  const { project } = market.publish(CHECKOUT, []);
  const found = await ben.type(`/gig lookup ${project.ciphertext}`);
  const unknown = await ben.type('/gig lookup ~029000000000000001');
  const words = await ben.type('/gig lookup our shop');
  await found.press('Share to Channel');
  const again = await cem.type(`/gig lookup ${project.ciphertext}`);
  const links = [`${project.url}?a=1`, project.url, ...[1, 2, 3].map((it) => `~02900000000000000${it}`)];
  const message = slack.postAsUser({ user: 'ada', channel: 'web', text: `Ours? ${links.join(' and ')}` });
  await desk.settleAfter(slack.messageShortcut({ user: 'ada', message, callbackId: 'look_up_project' }));
  const [left, notFound] = ada.notes('web').toReversed();
  await ada.type('/gig budget 0');
  const other = market.publish({ ...CHECKOUT, title: 'Another' }, []).project;
  const poor = await ben.type(`/gig lookup ${other.ciphertext}`);
  await ada.type('/gig budget 500');
  market.service.setCredits(0);
  const spent = await ben.type(`/gig lookup ${other.ciphertext}`);
  expectPictures({ found, unknown, words, again, notFound, left, poor, spent });
});

appTest("a filter's results, and what is said of budgets", async ({ market, ada }) => {
  market.publish(CHECKOUT);
  market.service.addResult({ filterId: 101 });
  const results = await ada.type('/gig results 101');
  const projects = await results.press('Projects');
  const budget = await ada.type('/gig budget');
  const unlimited = await ada.type('/gig budget off');
  const help = await ada.type('/gig help');
  expectPictures({ results, projects, budget, unlimited, help });
});

appTest('many projects at once', async ({ app, market, ada, pass }) => {
  for (let each = 1; each <= 23; each++) {
    app.clock.moveBy(1_000);
    const client = each < 4 ? CLIENT : { ...CLIENT, totalSpent: 0, totalHires: 0, rating: 0, reviews: 0 };
    market.publish({ ...CHECKOUT, title: `No. ${each}`, client });
  }
  await pass(MINUTE);
  const summary = ada.reads('web').find((it) => it.offers('Show Best')) ?? expect.fail('no summary');
  const full = still(summary);
  await ada.press(summary, 'Show Best');
  await pass(MINUTE);
  const some = still(summary);
  await ada.press(summary, 'Show Newest');
  await pass(MINUTE);
  const last = still(summary);
  await ada.press(summary, 'Show All');
  await pass(MINUTE);
  expectPictures({ full, some, last, none: summary });
});
