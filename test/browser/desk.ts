/** The sandbox in a browser, as its users see it. */
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { SkippingClock } from '../../src/workbench/clocks.ts';
import { prepareSandbox, type Sandbox } from '../../src/workbench/sandbox-start.ts';
import { seededRandom } from '../seeded-random.ts';

/** Whether a browser is available for the page's tests; start-browser.ts gives the reason when not. */
export const hasBrowser = inject('surroundings').address !== undefined;

export interface Desk extends Sandbox {
  readonly clock: SkippingClock;
  /** Opens another window and waits until its page is idle. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** Runs a command without a window, as ada. */
  readonly gig: (channel: string, text: string) => Promise<unknown>;
}

export interface DeskOptions {
  readonly clock?: () => SkippingClock;
  readonly seed?: number;
  /** Runs before a window opens. */
  readonly prepare?: (desk: Desk) => Promise<unknown>;
}

/** Allows for slow work such as drawing on a busy machine. */
const PATIENCE_MS = 40 * SECOND;
/** Source of the log's error when a commit takes over 2 s: a busy machine can cause it. */
const ONLY_SLOW = 'gate/recorder';

/** Adds what goes wrong in a page to the complaints. */
function listen(page: Page, complaints: string[]): void {
  page.on('console', (line) => {
    // Violations of the content security policy are among the errors.
    if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()}: ${line.text()}`);
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

async function startDesk({
  clock = new SkippingClock(),
  seed = 7,
}: {
  clock?: SkippingClock;
  seed?: number;
}) {
  const { address, root } = inject('surroundings');
  const complaints: string[] = [];
  const sandbox = await prepareSandbox({
    clock,
    random: seededRandom(seed),
    logLevel: 'error',
    log: { write: (line) => line.includes(ONLY_SLOW) || complaints.push(`logged: ${line}`) },
    port: 0,
    root,
    timezone: 'Europe/Berlin',
  });
  const browser = await chromium.connect(address ?? expect.fail('there is no browser'));
  const { slack } = sandbox;
  const desk: Desk = {
    ...sandbox,
    clock,
    open: async (options = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        // Drawing a spinner takes more of a processor than the app itself.
        reducedMotion: 'reduce',
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      listen(page, complaints);
      await page.goto(sandbox.page.origin);
      await page.locator('#channel-list button[aria-current="page"]').waitFor({ state: 'attached' });
      return page;
    },
    gig: (channel, text) => slack.runSlashCommand({ user: 'ada', channel, text }),
  };
  return {
    desk,
    /** @returns all errors since the last call: in the browser, in the simulated Slack, in the app's log */
    closeWindows: async (): Promise<readonly string[]> => {
      for (const context of browser.contexts()) await context.close();
      // An open view shows in every window of the person.
      for (const { id } of slack.users()) while (slack.view(id)) await slack.closeView({ user: id });
      return [...complaints.splice(0), ...slack.failedCalls().map((call) => JSON.stringify(call))];
    },
    stop: async () => {
      await browser.close();
      await sandbox.stop();
    },
  };
}

/**
 * One sandbox for the surrounding `describe`. Each test fails when the browser, the simulated Slack or the
 * app reports an error.
 */
export function setUpDesk({ clock, seed, prepare }: DeskOptions = {}): () => Desk {
  let running: Awaited<ReturnType<typeof startDesk>>;
  beforeAll(async () => {
    running = await startDesk({ ...(clock ? { clock: clock() } : {}), ...(seed ? { seed } : {}) });
    await running.desk.start();
    await prepare?.(running.desk);
  });
  afterEach(async () => expect(await running.closeWindows()).toEqual([]));
  afterAll(() => running?.stop());
  return () => running.desk;
}
