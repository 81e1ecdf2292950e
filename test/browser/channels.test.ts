import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { JobId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { chargedCreditsText } from '../../src/slack/kit/words/credits-text.ts';
import { jobStateText } from '../../src/slack/kit/words/job-text.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import {
  actAs,
  acting,
  answer,
  button,
  fill,
  goTo,
  message,
  modal,
  passUntil,
  passUntilThere,
  postsAbout,
  sees,
  theMessage,
  type,
  wrongFields,
} from './drive.ts';

const WAITING = jobStateText({ id: JobId.parse(1), status: 'pending_review', statusTitle: '' });

describe.skipIf(!hasBrowser)('a channel in the page', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('new-projects', 'subscribe filter 101');
      await gig('long-term', 'subscribe filter 102');
      await advanceTime(30 * SECOND);
    },
  });

  it('runs out of what an admin gave it, says so, and lets nobody else spend', async () => {
    const page = await desk().open();
    await goTo(page, 'new-projects');
    await type(page, '/gig budget 1');
    await passUntil(desk(), message(page, /\b1\b/u));

    await actAs(page, 'ben');
    const [first, second] = desk().marketplace.projects();
    await type(page, `/gig lookup ${first?.ciphertext}`);
    await sees(answer(page), chargedCreditsText({ charged: 1 }));
    const notice = () => postsAbout(desk(), ':budget-spent:')[0];
    await theMessage(page, await passUntilThere(desk(), notice)).waitFor();
    await type(page, `/gig lookup ${second?.ciphertext}`);
    await sees(answer(page), '/gig budget');
    await type(page, '/gig budget 500');
    await sees(answer(page), /Only admins|admins only/iu);
    expect(await answer(page).locator('button').count()).toBe(1);
    expect(await acting(answer(page), actionIds.accessAsk).count()).toBe(1);
  });

  it('is told differently once its settings are saved', async () => {
    const page = await desk().open();
    await goTo(page, 'long-term');
    await type(page, '/gig settings');
    await sees(modal(page), /long-term/u);
    await button(modal(page), 'Updates').click();
    await modal(page).getByLabel('Compact', { exact: false }).first().check();
    await button(modal(page), 'Save').click();
    await sees(modal(page), /Card layout: compact/u);
    await button(modal(page), 'Quiet Hours').click();
    await sees(modal(page), /Quiet from/u);
    await fill(modal(page), 'Time zone', 'Atlantis');
    await button(modal(page), 'Save').click();
    await wrongFields(modal(page)).waitFor();
    await fill(modal(page), 'Time zone', 'Berlin');
    await button(modal(page), 'Save').click();
    await sees(modal(page), /Channel Settings.*Europe\/Berlin/su);
    await button(modal(page), 'Close').click();
    await modal(page).waitFor({ state: 'detached' });
    await passUntil(desk(), message(page, /Europe\/Berlin/u));
  });

  it('offers the way to the newest message without covering any', async () => {
    const page = await desk().open({ viewport: { width: 1100, height: 600 } });
    await goTo(page, 'long-term');
    await type(page, '/gig help');
    await sees(answer(page), 'Check feeds and credits');
    const jump = page.locator('#jump');
    expect(await jump.isVisible()).toBe(false);
    await page.locator('#scroller').hover();
    await page.mouse.wheel(0, -2_000);
    await jump.waitFor();
    const messages = await page.locator('#scroller').boundingBox();
    const pill = await jump.boundingBox();
    expect(pill?.y).toBeGreaterThanOrEqual((messages?.y ?? Number.NaN) + (messages?.height ?? 0));
    await jump.click();
    await jump.waitFor({ state: 'hidden' });
    await sees(answer(page), 'Check feeds and credits');
  });

  it('has what waits for somebody on their Home, where it is approved', async () => {
    const page = await desk().open();
    await goTo(page, 'long-term');
    desk().marketplace.publishProject(102, {
      title: 'A garden shed',
      clientQuestions: [],
      usOnly: false,
      ukOnly: false,
    });
    await passUntil(desk(), message(page, 'A garden shed'));
    await button(message(page, 'A garden shed'), 'Bid').click();
    await button(modal(page), 'Send Bid').click();
    await sees(modal(page), WAITING);
    await button(modal(page), 'Close').click();
    await goTo(page, 'gigdesk');
    await page.getByRole('tab', { name: 'Home' }).click();
    const home = page.locator('#home');
    await sees(home, 'A garden shed');
    await button(home, 'Review').click();
    await sees(modal(page), 'A garden shed');
    await button(modal(page), 'Approve').click();
    await expect.poll(() => desk().marketplace.jobs()[0]?.status).toBe('scheduled');
    await button(home, 'Review').waitFor({ state: 'detached' });
  });
});
