/** The sandbox in a browser, as somebody who tries it has it before them. */
import { type Browser, type BrowserContextOptions, type Locator, type Page, chromium } from 'playwright-core';
import { expect, inject } from 'vitest';
import { createPictures } from '../../src/pictures/create-pictures.ts';
import { machineClock, SECOND } from '../../src/clock.ts';
import { SkippingClock } from '../../src/workbench/clocks.ts';
import { prepareSandbox, type Sandbox } from '../../src/workbench/sandbox-start.ts';
import { seededRandom } from '../seeded-random.ts';

/** Whether there is a browser to try the page in; start-browser.ts says why not. */
export const hasBrowser = inject('surroundings').address !== undefined;

export interface Desk {
  readonly sandbox: Sandbox;
  readonly clock: SkippingClock;
  readonly page: Page;
  /** All that the browser complained of: its console, pages that threw, requests that failed or were refused. */
  readonly complaints: readonly string[];
  /** Another tab of the same browser. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** As in the prompt: a command of ada that nobody needs to see. */
  gig(channel: string, text: string): Promise<void>;
  /** @throws when the browser or the simulated Slack complained of anything */
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly view?: BrowserContextOptions;
  readonly clock?: SkippingClock;
  readonly seed?: number;
  /** Before the browser comes. */
  readonly prepare?: (sandbox: Sandbox) => Promise<void> | void;
}

/** For what the machine has to do by itself, such as drawing, on a busy day. */
const PATIENCE_MS = 20 * SECOND;

function listen(page: Page, complaints: string[]): void {
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(`${line.type()}: ${line.text()}`);
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

export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const { address, root, worker } = inject('surroundings');
  const clock = options.clock ?? new SkippingClock();
  const logged: string[] = [];
  const pictures = createPictures({ clock: machineClock, workerUrl: new URL(worker) });
  const sandbox = await prepareSandbox({
    clock,
    random: seededRandom(options.seed ?? 7),
    logLevel: 'error',
    log: { write: (line) => logged.push(line) },
    port: 0,
    root,
    pictures,
  });
  await sandbox.start();
  await options.prepare?.(sandbox);
  const browser: Browser = await chromium.connect(address ?? expect.fail('there is no browser'));
  const complaints: string[] = [];
  const open = async (view: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...view });
    const page = await context.newPage();
    listen(page, complaints);
    await page.goto(sandbox.page.origin);
    await page.locator('#composer [role="textbox"], #composer textarea').first().waitFor();
    return page;
  };
  return {
    sandbox,
    clock,
    page: await open(options.view),
    complaints,
    open,
    gig: async (channel, text) => {
      await sandbox.slack.command({ user: 'ada', channel, text });
    },
    close: async () => {
      for (const context of browser.contexts()) await context.close();
      await browser.close();
      await sandbox.stop();
      await pictures.close();
      expect(complaints).toEqual([]);
      expect(sandbox.slack.errors()).toEqual([]);
      expect(logged).toEqual([]);
    },
  };
}

/** Resolves when it is in sight. */
export async function sees(where: Page | Locator, words: string | RegExp): Promise<Locator> {
  const found = where.getByText(words).last();
  await found.waitFor();
  return found;
}
