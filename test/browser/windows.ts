/** Windows of the browser that the page is open in. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SECOND } from '../../src/clock.ts';

/** For what the machine has to do by itself, such as drawing, on a busy day. */
const PATIENCE_MS = 40 * SECOND;

function listen(page: Page, complaints: string[]): void {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (line) => {
    // A refusal by the content security policy is among the errors.
    if (line.type() === 'error' || line.type() === 'warning')
      complaints.push(`${line.type()}: ${line.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Whoever leaves takes the stream of events along.
    const isLeft = why === 'net::ERR_ABORTED' && request.url().endsWith('/api/events');
    if (!isLeft) complaints.push(`failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`answered ${answer.status()}: ${answer.url()}`);
  });
}

/** Another window, in which the page has come to rest. @param complaints all that goes wrong in it */
export async function openWindow(
  browser: Browser,
  origin: string,
  complaints: string[],
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  listen(page, complaints);
  await page.goto(origin);
  await page.locator('#channel-list button[aria-current="page"]').waitFor({ state: 'attached' });
  return page;
}
