import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { JobId } from '../../src/ids.ts';
import { jobStateText } from '../../src/slack/kit/words/job-text.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { answer, button, field, message, modal, passUntil, sees } from './drive.ts';

const WAITING = jobStateText({ id: JobId.parse(1), status: 'pending_review', statusTitle: '' });

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  expect.fail(`Tab never leads to ${wanted.toString()}`);
}

describe.skipIf(!hasBrowser)('with the keyboard alone', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('long-term', 'subscribe filter 102');
      await advanceTime(30 * SECOND);
    },
  });

  it('one opens a channel, completes a command, presses a button, and fills a window in', async () => {
    const page = await desk().open();
    const { keyboard } = page;
    await keyboard.press('Alt+ArrowDown');
    await page.locator('#channel-name').getByText('long-term').waitFor();
    await keyboard.press('Escape');
    await page.locator('#composer textarea').focus();
    await keyboard.type('/gig sta');
    await page.locator('.completion [role="option"]').first().waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    await keyboard.press('Tab');
    expect(await page.locator('#composer textarea').inputValue()).toMatch(/^\/gig sta(?:ts|tus) ?$/u);
    await keyboard.press('Enter');
    await answer(page).waitFor();

    desk().marketplace.publishProject(102, {
      title: 'A shelf for books',
      clientQuestions: [],
      usOnly: false,
      ukOnly: false,
    });
    await passUntil(desk(), message(page, 'A shelf for books'));
    await keyboard.press('Alt+m');
    expect(await page.locator('.message:focus').count()).toBe(1);
    await tabTo(page, button(message(page, 'A shelf for books'), 'Bid'));
    await keyboard.press('Enter');
    await sees(modal(page), 'Cover letter');
    await tabTo(page, field(modal(page), 'Cover letter'));
    await keyboard.type('Written without a mouse.');
    await tabTo(page, button(modal(page), 'Send Bid'));
    await keyboard.press('Enter');
    await sees(modal(page), /#\d{5}/u);
    expect(await modal(page).locator('.modal-body:focus').count()).toBe(1);
    await passUntil(desk(), message(page, 'A shelf for books').getByText(WAITING).last());
    await keyboard.press('Escape');
    await modal(page).waitFor({ state: 'detached' });
    const there = page.locator('.message:focus, .message:focus-within');
    await there.filter({ hasText: 'A shelf for books' }).waitFor();
    expect(desk().marketplace.jobs().at(-1)).toMatchObject({ coverLetter: 'Written without a mouse.' });
  });
});
