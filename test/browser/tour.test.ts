import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { GUIDE_USER_NAME } from '../../src/workbench/sandbox-seed.ts';
import { playSandboxIntro } from '../../src/workbench/sandbox-tour.ts';
import { seededRandom } from '../seeded-random.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, goTo, message, sees, type } from './drive.ts';

/** The guide's first step. */
function guideOf(page: Page): Locator {
  const author = page.locator('.author').getByText(GUIDE_USER_NAME, { exact: true });
  return page.locator('#messages-panel .message').filter({ has: author }).first();
}

describe.skipIf(!hasBrowser)('who opens the sandbox for the first time', () => {
  const desk = setUpDesk({
    prepare: (it) => playSandboxIntro(it, it.clock, seededRandom(5), () => undefined),
  });

  it('sees cards, and a guide who says what to press', async () => {
    const page = await desk().open();
    const tour = guideOf(page);
    await tour.waitFor();
    expect(await tour.locator('.author').textContent()).toBe(GUIDE_USER_NAME);
    expect(await tour.locator('.badge').count()).toBe(0);
    expect((await tour.locator('.rich').innerText()).trim().split('\n')).toHaveLength(6);
    expect(await page.locator('.message.card').count()).toBeGreaterThan(2);
    expect((await tour.boundingBox())?.height).toBeLessThan(300);
  });

  it('sees the guide first, also when cards came since, and the newest from then on', async () => {
    const { marketplace, advanceTime, open } = desk();
    for (let n = 0; n < 6; n++) marketplace.publishProject(101, { title: `Card number ${n}` });
    await advanceTime(60 * SECOND);
    const page = await open();
    await guideOf(page).waitFor();
    await message(page, 'Card number 5').waitFor();
    const isInSight = async (wanted: Locator) => {
      const { y = -1, height = 0 } = (await wanted.boundingBox()) ?? {};
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
    };
    expect(await isInSight(guideOf(page))).toBe(true);
    await button(page, 'Jump to newest').click();
    await page.reload();
    await message(page, 'Card number 5').waitFor();
    expect(await isInSight(guideOf(page))).toBe(false);
    expect(await isInSight(message(page, 'Card number 5'))).toBe(true);
  });

  it('finds what the guide names', async () => {
    const page = await desk().open();
    await message(page, 'Invitation: ').waitFor();
    await page
      .getByText(/^(?:Viewed|Interviewed|Hired|Withdrawn|Boost outbid)/u)
      .last()
      .waitFor();
    await type(page, '/gig digest now');
    await sees(page, /\bDigest\b/u);
    await goTo(page, 'gigdesk');
    await page.getByRole('tab', { name: 'Home' }).click();
    await sees(page.locator('#home'), /new-projects/u);
    await page.getByTitle('Act as another person').click();
    for (const name of ['ben', 'gus', 'sam'])
      await page.getByRole('menuitemradio').locator('.menu-label').getByText(name, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Skip 1 Hour' }).waitFor();
  });
});
