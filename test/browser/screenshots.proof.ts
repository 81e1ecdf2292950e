/** Draws the pictures of README and docs: `npm run screenshots`. Time stands still in them, so that only what changed differs. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ManualClock, SkippingClock } from '../../src/workbench/clocks.ts';
import { playOpening } from '../../src/workbench/sandbox-tour.ts';
import { seededRandom } from '../seeded-random.ts';
import { setUpDesk } from './desk.ts';
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
} from './drive.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/screenshots');
const MOST_BYTES = 250_000;
/** A Thursday morning. */
const BEGIN = Date.UTC(2026, 2, 12, 7, 30);
const PLACE = { timezoneId: 'Europe/Berlin', locale: 'en-US', reducedMotion: 'reduce' } as const;
const PHONE = {
  viewport: { width: 390, height: 780 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
} as const;

const desk = setUpDesk({
  clock: () => new SkippingClock(new ManualClock(BEGIN)),
  seed: 11,
  prepare: async (it) => {
    await playOpening(it, it.clock, seededRandom(5), () => undefined);
    await it.pass(10 * MINUTE);
  },
});

async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${name}.png`);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  expect((await stat(file)).size, name).toBeLessThan(MOST_BYTES);
}

async function openPage(hasMarket = false): Promise<Page> {
  const page = await desk().open(PLACE);
  await message(page, /./u).waitFor();
  if (!hasMarket) await page.getByLabel('Close the marketplace').click();
  return page;
}

it('the channel with its cards, and the marketplace beside it', async () => {
  const page = await openPage(true);
  await shoot(page, 'channel');
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
  await fill(form, 'Instructions', 'Name one thing of the description. No greetings.');
  await button(form, 'Next').click();
  await fill(
    form,
    'Variant A',
    'I have moved six shops to a faster checkout, and would begin with yours by measuring it.',
  );
  await button(form, 'Next').click();
  await button(form, 'Next').click();
  await sees(form, /Step 6 of 6/u);
  await shoot(page, 'template');
});

it('a search among the proposals', async () => {
  const page = await openPage();
  await type(page, '/gig proposals is:interviewed');
  await sees(answer(page), /proposals match/u);
  await shoot(page, 'proposals');
});

it('what wins work', async () => {
  const page = await openPage();
  await type(page, '/gig stats 120');
  await answer(page, /interviewed/u).waitFor();
  await shoot(page, 'stats');
});

it('the digest with its pictures in its thread', async () => {
  const page = await openPage();
  await type(page, '/gig digest now');
  const digest = message(page, /Digest for/u);
  await digest.waitFor();
  await passUntil(desk(), digest.locator('.replies'));
  await digest.locator('.replies').click();
  const pictures = thread(page).locator('.file img');
  await passUntil(desk(), pictures.nth(1));
  for (const picture of await pictures.all()) await picture.scrollIntoViewIfNeeded();
  await shoot(page, 'digest');
});

it('the Home of somebody', async () => {
  const page = await openPage();
  await button(message(page, /Skills:/u), 'Claim').click();
  await goTo(page, 'gigdesk');
  await page.getByRole('tab', { name: 'Home' }).click();
  await sees(page.locator('#home'), /new-projects/u);
  await shoot(page, 'home');
});

it('a phone in the dark', async () => {
  const page = await desk().open({ ...PLACE, ...PHONE });
  await message(page, /Skills:/u).waitFor();
  await message(page, /Skills:/u).scrollIntoViewIfNeeded();
  await shoot(page, 'phone');
});
