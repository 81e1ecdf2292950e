import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { playSandboxIntro } from '../../src/workbench/sandbox-tour.ts';
import { seededRandom } from '../seeded-random.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { actAs, button, goTo, message, sees, type } from './drive.ts';

const steps = (page: Page): Locator => page.locator('.guide-step');
const doneSteps = (page: Page): Locator => page.locator('.guide-step.done');

/** Whether all of it is in the window, and inside the part that scrolls. */
async function isWhole(page: Page, wanted: Locator): Promise<boolean> {
  const box = (await wanted.boundingBox()) ?? expect.fail('it is not there');
  const frame = (await page.locator('#scroller').boundingBox()) ?? expect.fail('no messages');
  return box.y >= frame.y && box.y + box.height <= frame.y + frame.height;
}

describe.skipIf(!hasBrowser)('who opens the sandbox for the first time', () => {
  const desk = setUpDesk({
    prepare: (it) => playSandboxIntro(it, it.clock, seededRandom(5)),
  });

  it.each([
    [1280, 800],
    [390, 780],
  ])('sees a whole card at once at %d x %d, and what to press next', async (width, height) => {
    const page = await desk().open({ viewport: { width, height } });
    const newest = page.locator('#messages-panel .message').last();
    await button(newest, 'Bid').waitFor();
    expect(await isWhole(page, newest)).toBe(true);
    const guide = width < 900 ? page.locator('#next-step') : steps(page).first();
    await sees(guide, 'Bid on a project');
    if (width >= 900) return;
    await guide.click();
    await steps(page).nth(5).waitFor();
  });

  it('finds each step of the guide ticked once it is done', async () => {
    const { marketplace, open } = desk();
    const page = await open();
    await message(page, 'Invitation: ').waitFor();
    await page
      .getByText(/^(?:Viewed|Interviewed|Hired|Withdrawn|Boost outbid)/u)
      .last()
      .waitFor();
    expect(await doneSteps(page).count()).toBe(0);
    await type(page, '/gig digest now');
    await sees(page, /\bDigest\b/u);
    await button(message(page, /Skills:/u), 'Claim').click();
    await goTo(page, 'gigdesk');
    await page.getByRole('tab', { name: 'Home' }).click();
    await sees(page.locator('#home'), /new-projects/u);
    await page.getByRole('button', { name: 'Publish Strange Project' }).click();
    await doneSteps(page).nth(3).waitFor();
    expect(marketplace.jobs()).toEqual([]);
    expect(await steps(page).first().getAttribute('class')).not.toContain('done');
    await actAs(page, 'ben');
    await goTo(page, 'big-ones');
    await type(page, '/gig help');
    await doneSteps(page).nth(4).waitFor();
  });
});
