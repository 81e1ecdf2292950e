import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import {
  CLEAR_FAULTS_CONTROL,
  MARKET_CONTROL_GROUPS,
  type MarketControl,
} from '../../src/workbench/page/client/market-controls.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, message, passUntil, passUntilThere, postsAbout, sees, theMessage } from './drive.ts';

function panel(page: Page): Locator {
  return page.locator('#market-body');
}

const ALL = [...MARKET_CONTROL_GROUPS.flatMap(({ orders }) => orders), CLEAR_FAULTS_CONTROL];

function orderOf(label: string): MarketControl {
  return ALL.find((it) => it.label === label) ?? expect.fail(`nobody can order ${label}`);
}

/** Presses the control and waits for its line in the panel. */
async function order(page: Page, label: string): Promise<void> {
  const { done } = orderOf(label);
  await button(panel(page), label).click();
  await sees(panel(page), done);
}

/** Lines about faults still pending. */
function struck(page: Page): Locator {
  return panel(page).locator('.market-answers li');
}

/** A row of the latest requests, by its result. */
function request(page: Page, answer: string): Locator {
  return panel(page)
    .locator('.entry')
    .filter({ has: page.locator('.entry-tail').getByText(answer, { exact: true }) })
    .first();
}

describe.skipIf(!hasBrowser)('what is ordered of the marketplace', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('new-projects', 'subscribe filter 101');
      await advanceTime(30 * SECOND);
    },
  });
  const publish = (title: string) => desk().marketplace.publishProject(101, { title, clientQuestions: [] });

  it.each([
    ['Return 429', '429'],
    ['Drop Requests', 'no response'],
  ])('%s: the panel shows whom it struck, and cards come all the same', async (label, answer) => {
    const page = await desk().open();
    await order(page, label);
    await expect.poll(() => struck(page).count()).toBe(1);
    const title = `A website after “${answer}”`;
    publish(title);
    await passUntil(desk(), request(page, answer));
    await passUntil(desk(), message(page, title), 300);
    await desk().market.performMarketAction({ kind: 'fault', what: 'off' });
  });

  it('Spend Credits: the channel hears it once, and its cards come when they are refilled', async () => {
    const page = await desk().open();
    await order(page, 'Spend Credits');
    await sees(panel(page), '0 left');
    publish('A mill with a website');
    const notice = await passUntilThere(desk(), () => postsAbout(desk(), ':account-').at(-1));
    await theMessage(page, notice).waitFor();
    await order(page, 'Skip 1 Hour');
    expect(await message(page, 'A mill with a website').count()).toBe(0);
    await order(page, 'Refill Credits');
    await sees(panel(page), /^10,000 left|^9,9\d\d left/u);
    await order(page, 'Skip 1 Hour');
    await message(page, 'A mill with a website').waitFor();
    expect(postsAbout(desk(), ':account-spent:')).toHaveLength(1);
    expect(postsAbout(desk(), ':account-refilled:')).toHaveLength(1);
  });

  it('Return 500: the channel gets one notice, even after an hour, and one when it’s over', async () => {
    const page = await desk().open();
    const began = desk().clock.now();
    await order(page, 'Return 500');
    await expect.poll(() => struck(page).allTextContents()).toEqual([expect.stringMatching(/\b500\b/u)]);
    await passUntil(desk(), request(page, '500'));
    const failing = () =>
      postsAbout(desk(), ':feed-failing:').filter(({ ts }) => Number(ts) * SECOND > began);
    await theMessage(
      page,
      await passUntilThere(desk(), () => failing().at(-1), { seconds: 900, step: 10 }),
    ).waitFor();
    publish('A barn to be photographed');
    await order(page, 'Skip 1 Hour');
    expect(failing()).toHaveLength(1);
    await order(page, 'Clear Failures');
    await order(page, 'Skip 1 Hour');
    const [over, ...more] = postsAbout(desk(), ':feed-recovered:').filter(
      ({ ts }) => Number(ts) * SECOND > began,
    );
    expect(more).toEqual([]);
    await theMessage(page, over ?? expect.fail('nobody heard that it is over')).waitFor();
    await message(page, 'A barn to be photographed').waitFor();
  });
});
