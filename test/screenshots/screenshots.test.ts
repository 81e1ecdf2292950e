/**
 * Draws the screenshots of README and docs: `npx vitest run --project pictures`. A frozen clock keeps
 * unchanged ones identical.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { ManualClock, SkippingClock } from '../../src/workbench/clocks.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { playSandboxIntro } from '../../src/workbench/sandbox-tour.ts';
import { setUpDesk } from '../browser/desk.ts';
import {
  answer,
  button,
  choose,
  fill,
  goTo,
  message,
  modal,
  passUntil,
  sees,
  thread,
  type,
} from '../browser/drive.ts';
import { seededRandom } from '../seeded-random.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/screenshots');
const MOST_BYTES = 250_000;
const BEGIN = Date.UTC(2026, 2, 12, 7, 30);
const PLACE = { timezoneId: 'Europe/Berlin', locale: 'en-US', reducedMotion: 'reduce' } as const;
/** For what would need scrolling. */
const TALL = { width: 1280, height: 960 };
const PHONE = {
  viewport: { width: 390, height: 780 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
} as const;

/** The lead projects: one that is obviously good, one that is not. */
const OPEN_TO_ALL = { usOnly: false, ukOnly: false };
const GOOD = { paymentMethodVerified: true };
const PROJECTS: readonly ProjectSeed[] = [
  {
    ...OPEN_TO_ALL,
    title: 'Move our web shop to a new checkout',
    description:
      'We sell garden furniture and lose one in three customers at checkout. Only the cart and the ' +
      'payment change, the rest of the shop stays.',
    skills: ['React', 'TypeScript', 'Stripe'],
    clientQuestions: [],
    budget: { type: 'fixed', fixedAmount: 8_500 },
    client: {
      ...GOOD,
      country: 'Norway',
      rating: 4.2,
      reviews: 18,
      totalHires: 26,
      jobsPosted: 108,
      hireRate: 0.24,
      totalSpent: 31_400,
    },
  },
  {
    ...OPEN_TO_ALL,
    title: 'Customer portal in React and Node',
    description:
      'Our customers call us to ask where their order is. They want to see it online, and change what ' +
      'has not shipped yet. There is an API.',
    skills: ['React', 'Node.js', 'PostgreSQL'],
    clientQuestions: ['Which customer portal of yours can we look at?'],
    budget: { type: 'hourly', hourlyMin: 55, hourlyMax: 90 },
    client: {
      ...GOOD,
      country: 'Sweden',
      rating: 4.9,
      reviews: 46,
      totalHires: 65,
      jobsPosted: 82,
      hireRate: 0.79,
      totalSpent: 128_300,
    },
  },
];

const desk = setUpDesk({
  clock: () => new SkippingClock(new ManualClock(BEGIN)),
  seed: 11,
  prepare: async (it) => {
    await playSandboxIntro(it, it.clock, seededRandom(5));
    await it.advanceTime(10 * MINUTE);
    for (const project of PROJECTS) {
      it.marketplace.publishProject(101, project);
      await it.advanceTime(MINUTE);
    }
  },
});

async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${name}.png`);
  await page.mouse.move(0, 0);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  expect((await stat(file)).size, name).toBeLessThan(MOST_BYTES);
}

/** Scroll long messages to their beginning. */
async function toTop(it: Locator): Promise<void> {
  await it.evaluate((node: { scrollIntoView(to: { block: string }): void }) =>
    node.scrollIntoView({ block: 'start' }),
  );
}

async function openPage(hasMarket = false): Promise<Page> {
  const page = await desk().open(PLACE);
  await message(page, /./u).waitFor();
  if (!hasMarket) await page.getByLabel('Close the marketplace').click();
  return page;
}

it('the channel with its cards, and the marketplace beside it', async () => {
  const page = await openPage(true);
  await button(message(page, 'new checkout'), 'Claim').click();
  await passUntil(desk(), message(page, 'new checkout').getByText(/Claimed by/u));
  await shoot(page, 'channel');
});

it('a phone in the dark', async () => {
  const page = await desk().open({ ...PLACE, ...PHONE });
  await message(page, /Skills:/u).waitFor();
  await message(page, /Skills:/u).scrollIntoViewIfNeeded();
  await shoot(page, 'phone');
});

it('the form of a bid', async () => {
  const page = await openPage();
  await button(message(page, /Skills:/u), 'Bid').click();
  await sees(modal(page), 'Cover letter');
  await shoot(page, 'bid');
});

it('the review of a template', async () => {
  const page = await openPage();
  await type(page, '/gig template new');
  const form = modal(page);
  await fill(form, 'Name', 'Web shops');
  await choose(form, 'Sender', 'Northwind');
  await choose(form, 'Contractor', 'Mara');
  await button(form, 'Next').click();
  await fill(form, 'Hourly rate', '65');
  await button(form, 'Next').click();
  await fill(form, 'Instructions', 'Mention one detail from the description. No greetings.');
  await button(form, 'Next').click();
  await fill(
    form,
    'Letter A',
    'I have moved six shops to a faster checkout, and would start yours with a measurement.',
  );
  await button(form, 'Next').click();
  await button(form, 'Next').click();
  await sees(form, /Step 6 of 6/u);
  await shoot(page, 'template');
});

it('a search among the proposals', async () => {
  const page = await openPage();
  await type(page, '/gig proposals is:interviewed');
  const found = answer(page, /proposals match/u);
  await found.waitFor();
  await toTop(found);
  await shoot(page, 'proposals');
});

it('what wins work', async () => {
  const page = await openPage();
  await type(page, '/gig stats 120');
  const stats = answer(page, /proposals sent in the last/u);
  await stats.waitFor();
  await toTop(stats);
  await shoot(page, 'stats');
});

it('the digest with its charts in its thread', async () => {
  const page = await openPage();
  await page.setViewportSize({ width: 1280, height: 880 });
  await type(page, '/gig digest now');
  const digest = message(page, /Digest for/u);
  await passUntil(desk(), digest);
  await passUntil(desk(), digest.locator('.replies'));
  await digest.locator('.replies').click();
  const charts = thread(page).locator('.chart svg');
  await passUntil(desk(), charts.nth(3));
  for (const chart of await charts.all()) await chart.scrollIntoViewIfNeeded();
  await shoot(page, 'digest');
});

const LETTER = `Hello! I have moved nine shops to a faster checkout, the last one in six weeks.

I would begin with a measurement of where your customers leave. Which payment provider do you use?`;

it('a request for approval, in the thread of its card', async () => {
  const { gig, slack, marketplace, advanceTime } = desk();
  await gig('long-term', 'access');
  await advanceTime(SECOND);
  const field = slack.view('ada')?.blocks.find(({ block_id: id }) => id.startsWith('bidders'));
  await slack.submitView({ user: 'ada', values: { [field?.block_id ?? '']: [slack.user('ben').id] } });
  const [wanted] = PROJECTS;
  marketplace.publishProject(102, { ...wanted, title: 'Look after our checkout, month by month' });
  await advanceTime(MINUTE);
  const page = await openPage();
  await page.setViewportSize(TALL);
  await goTo(page, 'long-term');
  const card = message(page, 'month by month');
  await button(card, 'Bid').click();
  const form = modal(page);
  await button(form, 'Look Up (1 Credit)').click();
  await button(form, 'Look Up (1 Credit)').waitFor({ state: 'detached' });
  await fill(form, /\(\$/u, '8000');
  await fill(form, 'Cover letter', LETTER);
  await button(form, 'Send Bid').click();
  await sees(form, /#\d{5}/u);
  await button(form, 'Close').click();
  await form.waitFor({ state: 'detached' });
  await passUntil(desk(), card.getByText('2 replies'));
  await card.getByText('2 replies').click();
  await sees(thread(page), 'please review it');
  await shoot(page, 'approval');
});

it('the Home of somebody', async () => {
  const page = await openPage();
  await goTo(page, 'gigdesk');
  await page.getByRole('tab', { name: 'Home' }).click();
  await sees(page.locator('#home'), /new-projects/u);
  await shoot(page, 'home');
});

it('the welcome in a new channel', async () => {
  desk().slack.addChannel({ name: 'web-shops', withBot: false });
  const page = await openPage();
  await page.setViewportSize(TALL);
  await goTo(page, 'web-shops');
  await type(page, '/invite @gigdesk');
  await passUntil(desk(), button(page, 'Set Up This Channel'));
  await button(page, 'Set Up This Channel').click();
  await sees(modal(page), 'Preview Rules');
  await choose(modal(page), 'Filter', 'Well-paid');
  await fill(modal(page), 'Project budget of at least', '1000');
  await button(modal(page), 'Preview Rules').click();
  await sees(modal(page), /would be posted/u);
  await button(modal(page), 'Preview Rules').scrollIntoViewIfNeeded();
  await shoot(page, 'setup');
});
