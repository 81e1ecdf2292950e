import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, message, modal, sees } from './drive.ts';

const PHONE = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
} as const;

describe.skipIf(!hasBrowser)('on a phone, in the dark', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('new-projects', 'subscribe filter 101 backfill 3');
      await advanceTime(60 * SECOND);
    },
  });

  it('channels, cards and windows fit, and nothing has to be pushed aside', async () => {
    const page = await desk().open(PHONE);
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    const card = message(page, 'Skills:');
    await card.waitFor();
    expect(await width()).toBe(390);
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toContain('dark');
    const [red = 255] =
      String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
        .match(/\d+/u)
        ?.map(Number) ?? [];
    expect(red).toBeLessThan(80);

    await page.getByLabel('Channels', { exact: true }).first().tap();
    await page.locator('#channels button').filter({ hasText: 'long-term' }).tap();
    await page.locator('#channel-name').getByText('long-term').waitFor();
    await page.getByLabel('Channels', { exact: true }).first().tap();
    await page.locator('#channels button').filter({ hasText: 'new-projects' }).tap();

    await button(card, 'Bid').tap();
    await sees(modal(page), 'Cover letter');
    expect(await width()).toBe(390);
    const { x = -1, width: wide = 999 } = (await modal(page).boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + wide).toBeLessThanOrEqual(390);
    await button(modal(page), 'Close').tap();
    await modal(page).waitFor({ state: 'detached' });
  });
});
