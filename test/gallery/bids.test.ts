/** The room of bids: the form in its states, what came of a bid, and the news in its thread. */
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { JobId, SetupId, UserId } from '../../src/ids.ts';
import type { BidNews } from '../../src/outbox/news.ts';
import { bidNewsMessage } from '../../src/slack/bids/bid-messages.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Answer, Input } from '../kit/person.ts';
import { type Desk, FAST_SETUP, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const TEMPLATE = { id: 61, name: 'Shops' };
const LETTER = { 'Bidding setup': FAST_SETUP.name, 'Cover letter': 'Dear client' };

/** Gives the setup a template with these letters, and waits until it is known. */
async function writeTemplate({ market, pass }: Desk, letters: readonly [string, string] | null) {
  const cover_letters = letters && { variant_a: letters[0], variant_b: letters[1] };
  market.service.addTemplate({ ...TEMPLATE, cover_letters, ab_testing: true });
  market.service.updateSetup(FAST_SETUP.id, { biddingTemplate: TEMPLATE });
  await pass(6 * MINUTE);
}

/** A form above its fields. */
function topOf({ text }: Answer): string {
  return text.slice(0, text.indexOf('Bidding setup'));
}

describe('the form', () => {
  appTest('asks for everything that a bid may say', async ({ desk, market, ada, ben }) => {
    await writeTemplate(desk, ['Dear client,\n\nI build shops.', `Hello.${' Long.'.repeat(300)}`]);
    const card = await market.publish().cardIn('web');
    await ada.press(card, 'Claim');
    const form = await ben.press(card, 'Bid');
    expect(form.text).toMatchSnapshot('as it opens');
    const wrong = { 'Fixed-price bid': '4', Boost: '-1', 'Cover letter': ' ' };
    expect((await form.send(wrong)).text.split('\n').slice(-3)).toMatchSnapshot('mistakes');
    const looked = await form.press('Look Up', { 'Fixed-price bid': '5000', Boost: '150' });
    expect(topOf(looked)).toMatchSnapshot('unusual amounts');
    const soon = await looked.press('In 15 to 60 minutes', { 'Fixed-price bid': '500', Boost: '10' });
    expect(soon.fields()).toMatchSnapshot('in minutes');
    const later = await soon.press('At a specific time');
    const roomy = await later.press('Add More Space', { 'Cover letter': 'Half a letter' });
    expect(roomy.fields()).toMatchSnapshot('at a time, with more space');
    await ben.close();
    const again = await ben.press(card, 'Bid');
    expect(topOf(again)).toMatchSnapshot('opened again');
  });

  appTest('of a project that nobody knows', async ({ market, ada, ben }) => {
    market.service.setModes({ redirectUrls: true });
    const card = await market.publish().cardIn('web');
    const bare = await ben.press(card, 'Bid');
    expect(bare.text).toMatchSnapshot('without an ID');
    await ben.close();
    const typed = await ada.type('/gig bid ~04711 Slwo');
    expect(typed.text.slice(0, typed.text.indexOf('When to bid'))).toMatchSnapshot('typed');
    expect((await typed.press('Look Up')).text.split('\n').slice(0, 6)).toMatchSnapshot('not found');
  });

  appTest('for US and UK freelancers only', async ({ market, ben }) => {
    const card = await market.publish({ ...SHOP, usOnly: true, ukOnly: true }).cardIn('web');
    const form = await ben.press(card, 'Bid');
    const looked = await form.press('Look Up');
    expect(topOf(looked)).toMatchSnapshot();
  });
});

/** What the form says about its setup, from the menu to the first field. */
function aboutSetup({ text }: Answer): string {
  return text.slice(text.indexOf('Bidding setup'), text.indexOf('Fixed-price bid'));
}

describe('the setup', () => {
  appTest('that may not bid', async ({ desk, market, ben, pass }) => {
    await writeTemplate(desk, null);
    market.service.addTemplate({ id: 62, sender: { name: 'Ada', type: 'freelancer', organization: null } });
    const card = await market.publish().cardIn('web');
    const states: Record<string, Parameters<typeof market.service.updateSetup>[1]> = {
      'paused, its day used up': { status: 'paused', dailyProposalsLimit: 20, proposalsSentToday: 20 },
      'whose template sends as a freelancer': { status: 'active', biddingTemplate: { id: 62, name: 'Own' } },
      'whose template is gone': { biddingTemplate: { id: 99, name: 'Gone' } },
    };
    for (const [name, change] of Object.entries(states)) {
      market.service.updateSetup(FAST_SETUP.id, change);
      await pass(6 * MINUTE);
      const form = await ben.press(card, 'Bid');
      expect(aboutSetup(await form.press(FAST_SETUP.name))).toMatchSnapshot(name);
      await ben.close();
    }
  });

  appTestWith({ empty: true })('of which there is none', async ({ ada }) => {
    const form = await ada.type('/gig bid ~04711');
    expect(form.text).toMatchSnapshot();
  });
});

appTest('letters that worked', async ({ app, market, ada, ben, pass }) => {
  market.service.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
  for (const [n, jobTitle] of ['Checkout in React', 'Checkout of a shop', 'Data work'].entries())
    market.service.addProposal({
      profileId: 31,
      jobTitle,
      coverLetter: `Letter number ${n + 1}`,
      submittedAt: app.clock.now() - 4 * DAY,
      isInterviewed: true,
      isHired: n === 1,
    });
  await ada.type('/gig subscribe outcomes 31');
  await pass(2 * MINUTE);
  const card = await market.publish().cardIn('web');
  const form = await ben.press(card, 'Bid');
  const letters = ({ text }: Answer) => text.slice(text.indexOf('Start from'), text.indexOf('Which shops'));
  expect(letters(form)).toMatchSnapshot('offered');
  const used = await form.press('Use Letter', { 'Cover letter': 'My own' });
  expect(letters(used).split('\n').slice(-8)).toMatchSnapshot('inserted');
});

describe('what came of a bid', () => {
  /** Bids on a new project. @returns the answer, and the news in the thread */
  async function bid({ market, ...desk }: Desk, title: string, input: Input = LETTER) {
    const card = await market.publish({ ...SHOP, title }).cardIn('web');
    const answer = await (await desk.person('ben').press(card, 'Bid')).send(input);
    return { card, answer, both: [answer.text, card.replies().at(-1)?.text].join('\n\n') };
  }

  appTest('that was created', async ({ desk, market, ada, ben }) => {
    const amounts = { 'Fixed-price bid': '500', Boost: '10' };
    const { card, both } = await bid(desk, 'Created', { ...LETTER, ...amounts });
    expect(both).toMatchSnapshot('created');
    const other = await ada.press(card, 'Bid with another setup');
    expect(topOf(other)).toMatchSnapshot('a form beside it');
    expect((await other.send(LETTER)).text.split('\n').at(-1)).toMatchSnapshot('the same setup again');
    await ben.close();
    const { project } = market.publish({ ...SHOP, title: 'Without a card' }, []);
    const typed = await ben.type(`/gig bid ${project.ciphertext}`);
    await typed.send({ ...LETTER, 'Bid amount': '500' });
    expect(ben.reads('web').at(-1)?.text).toMatchSnapshot('without a card');
  });

  appTest('that was not', async ({ desk, market, ben }) => {
    const problem = { error: 'Validation failed <!channel>', errors: { bid_amount: ['too low'] } };
    market.fail(PATHS.bid, { kind: 'answer', status: 422, json: problem });
    expect((await bid(desk, 'Refused')).both).toMatchSnapshot('refused');
    market.service.updateSetup(FAST_SETUP.id, { exhausted: 'monthly limit' });
    expect((await bid(desk, 'Skipped')).both).toMatchSnapshot('skipped');
    const project = market.publish({ ...SHOP, title: 'In the way' });
    const card = await project.cardIn('web');
    market.service.addJob({ projectId: project.project.id, setupId: FAST_SETUP.id, status: 'scheduled' });
    expect((await sendBid(ben, card)).text).toMatchSnapshot('a job in the way');
  });

  appTest('without an answer', async ({ desk, market, ben }) => {
    market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
    const { card, answer, both } = await bid(desk, 'Unknown');
    expect(both).toMatchSnapshot('unknown');
    const checked = await answer.press('Check');
    expect(checked.text).toMatchSnapshot('checked');
    const again = await checked.press('Try Again');
    expect(topOf(again)).toMatchSnapshot('tried again');
    market.fail(PATHS.bid, presetFaults.status(403, 'Not on your plan'));
    const refused = await again.send(LETTER);
    expect([refused.text, card.replies().at(-1)?.text].join('\n\n')).toMatchSnapshot('then refused');
    expect((await refused.press('Check')).text).toMatchSnapshot('then checked');
    await ben.close();
    market.fail(PATHS.bid, presetFaults.html(200));
    expect((await bid(desk, 'Strange')).both).toMatchSnapshot('a strange answer');
  });

  appTestWith({ reviews: true })('that waits, beside a form that did not show it', async ({ desk, ada }) => {
    desk.market.service.addSetup({ id: 8, name: 'Slow setup', status: 'active' });
    await desk.pass(6 * MINUTE);
    const card = await desk.market.publish().cardIn('web');
    const late = await ada.press(card, 'Bid');
    expect((await sendBid(desk.person('ben'), card)).text).toMatchSnapshot('waiting for review');
    const news = await late.send({ 'Bidding setup': 'Slow setup' });
    expect(topOf(news)).toMatchSnapshot('not shown before');
  });
});

const [ANA, BEN, JOB] = [UserId.parse('U0ANA'), UserId.parse('U0BEN'), JobId.parse(12)];
const TITLE = 'Rebuild our checkout';
const made = { by: ANA, title: TITLE, setup: SetupId.parse(7), setupName: 'Night shift' };
const waits = { job: JOB, status: 'pending_review', statusTitle: 'Pending review' };
const scheduled = { job: JOB, status: 'scheduled', scheduledAt: 'tomorrow at nine' };

it.each<BidNews>([
  { about: 'bid-created', ...made, ...waits, elsewhere: '~2' },
  { about: 'bid-skipped', ...made, job: JOB, status: 'skipped' },
  { about: 'bid-found', by: ANA, title: TITLE, ...scheduled },
  { about: 'job-approved', by: BEN, overrode: 'Wrong stack', ...scheduled },
  { about: 'job-approved', by: BEN, overrode: '', ...scheduled },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden' },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'not-done' },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden', doubt: true },
  { about: 'approval-unknown', by: BEN, job: JOB },
  { about: 'approval-rejected', by: BEN, job: JOB, reason: 'Too <low>', asker: ANA },
  { about: 'approval-expired', job: JOB, hours: 24, asker: ANA },
  { about: 'approval-expired', job: JOB, hours: 24, second: true },
  { about: 'job-changed', job: JOB, status: 'on_the_moon' },
  { about: 'job-changed', job: JOB, status: 'skipped', reason: 'A limit' },
  { about: 'job-failed', job: JOB, status: 'failed', errorMessage: 'Out of connects' },
  { about: 'job-sent', job: JOB, status: 'completed', applicationUid: '4455' },
  { about: 'proposal-found', job: JOB, proposal: 900, connects: 16, boost: 10, position: 3 },
  { about: 'job-left', job: JOB, hours: 48 },
  { about: 'job-gone', job: JOB },
])('news: $about %#', (news) => {
  expect(bidNewsMessage(news, TITLE).text).toMatchSnapshot();
});
