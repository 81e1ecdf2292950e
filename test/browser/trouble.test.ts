import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, message, passUntil, sees } from './drive.ts';

function panel(page: Page): Locator {
  return page.locator('#market-body');
}

/** Presses it, and reads what the panel says of it. */
async function order(page: Page, label: string, said: string | RegExp): Promise<void> {
  await button(panel(page), label).click();
  await sees(panel(page), said);
}

/** A row of the last requests, by what came back. */
function request(page: Page, answer: string): Locator {
  return panel(page)
    .locator('.entry')
    .filter({ has: page.locator('.entry-tail').getByText(answer, { exact: true }) })
    .first();
}

describe.skipIf(!hasBrowser)('what is ordered of the marketplace', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, pass }) => {
      await gig('new-projects', 'subscribe filter 101');
      await pass(30 * SECOND);
    },
  });
  const publish = (title: string) => desk().marketplace.publish(101, { title, clientQuestions: [] });

  it.each([
    ['Answer 429', 'Gigdesk waits as long as it is told to.', /refused with 429 for 20 s/u, '429'],
    [
      'Drop the next answer',
      'What only reads is asked again by itself.',
      /requests are dropped/u,
      'no answer',
    ],
  ])('%s: the panel shows whom it struck, and cards come all the same', async (label, said, left, answer) => {
    const page = await desk().open();
    await order(page, label, said);
    await sees(panel(page), left);
    const title = `A website after “${answer}”`;
    publish(title);
    await passUntil(desk(), request(page, answer));
    await passUntil(desk(), message(page, title), 300);
    await desk().market.act({ kind: 'fault', what: 'off' });
  });

  it('Spend the credits: the channel hears it once, and its cards come when they are refilled', async () => {
    const page = await desk().open();
    await order(page, 'Spend the credits', 'All project credits are spent.');
    await sees(panel(page), '0 left');
    publish('A mill with a website');
    const notice = message(page, /The marketplace account has no credits left, so new projects wait/u);
    await passUntil(desk(), notice);
    await order(page, 'Let an hour pass', 'An hour has passed.');
    expect(await message(page, 'A mill with a website').count()).toBe(0);
    await order(page, 'Refill the credits', /^As many project credits are there as a billing period/u);
    await sees(panel(page), /^10,000 left|^9,9\d\d left/u);
    await order(page, 'Let an hour pass', 'An hour has passed.');
    await message(page, 'A mill with a website').waitFor();
    expect(await page.locator('.message').filter({ hasText: 'has no credits left' }).count()).toBe(1);
  });

  it('Answer 500: the channel hears it once, also when an hour passes, and once that it is over', async () => {
    const page = await desk().open();
    await order(
      page,
      'Answer 500',
      '/gig status tells of it at once, channels hear of it after three minutes.',
    );
    expect(
      await panel(page)
        .getByText(/answered with 500/u)
        .count(),
    ).toBe(1);
    await passUntil(desk(), request(page, '500'));
    const notices = page.locator('.message').filter({ hasText: 'server has a fault' });
    await passUntil(desk(), notices.first(), 900);
    publish('A barn to be photographed');
    await order(page, 'Let an hour pass', 'An hour has passed.');
    expect(await notices.count()).toBe(1);
    await order(page, 'End all trouble', 'The trouble is over');
    await order(page, 'Let an hour pass', 'An hour has passed.');
    await message(page, /come again/u).waitFor();
    await message(page, 'A barn to be photographed').waitFor();
  });
});
