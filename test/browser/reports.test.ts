import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import {
  actAs,
  answer,
  button,
  choose,
  message,
  modal,
  passUntil,
  passUntilThere,
  postsAbout,
  sees,
  theMessage,
  thread,
  type,
} from './drive.ts';

describe.skipIf(!hasBrowser)('in the page', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('new-projects', 'subscribe filter 101 backfill 3');
      await gig('new-projects', 'subscribe outcomes 301');
      await advanceTime(2 * MINUTE);
    },
  });

  it('a search is seen by the person alone', async () => {
    const page = await desk().open();
    await type(page, '/gig proposals is:hired');
    const found = answer(page, 'is:hired');
    await found.waitFor();
    await choose(found, 'Open Proposal', /\(\d+\)/u);
    await sees(modal(page), 'Cover letter');
    await button(modal(page), 'Close').click();
    await modal(page).waitFor({ state: 'detached' });

    const ben = await desk().open();
    await actAs(ben, 'ben');
    expect(await message(ben, 'is:hired').count()).toBe(0);
  });

  it('a digest brings its charts, which are drawn, and told in words', async () => {
    const page = await desk().open();
    await type(page, '/gig digest now');
    const newest = () => postsAbout(desk(), 'digest:').at(-1);
    const digest = theMessage(page, await passUntilThere(desk(), newest));
    await digest.waitFor();
    await passUntil(desk(), digest.locator('.replies'));
    await digest.locator('.replies').click();
    const charts = thread(page).locator('.chart svg');
    await passUntil(desk(), charts.nth(1));
    for (const chart of await charts.all()) {
      await chart.scrollIntoViewIfNeeded();
      expect((await chart.boundingBox())?.width).toBeGreaterThan(200);
      expect(await chart.locator('rect, polyline').count()).toBeGreaterThan(0);
      expect(await chart.getAttribute('aria-label')).toMatch(/\w+: .*\d/u);
    }
  });
});
