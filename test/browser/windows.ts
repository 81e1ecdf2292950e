/** Browser windows with the open page. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SECOND } from '../../src/clock.ts';

/** Allows for slow work such as drawing on a busy machine. */
const PATIENCE_MS = 40 * SECOND;

function listen(page: Page, complaints: string[]): void {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (line) => {
    // Violations of the content security policy are among the errors.
    if (line.type() === 'error' || line.type() === 'warning')
      complaints.push(`${line.type()}: ${line.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Closing a window cancels its event stream.
    const isLeft = why === 'net::ERR_ABORTED' && request.url().endsWith('/api/events');
    if (!isLeft) complaints.push(`failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`answered ${answer.status()}: ${answer.url()}`);
  });
}

/** Opens another window and waits until its page is idle. @param complaints collects all errors in it */
export async function openWindow(
  browser: Browser,
  origin: string,
  complaints: string[],
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // Drawing a spinner takes more of a processor than the app itself.
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  listen(page, complaints);
  await page.goto(origin);
  await page.locator('#channel-list button[aria-current="page"]').waitFor({ state: 'attached' });
  return page;
}
