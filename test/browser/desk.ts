/** The sandbox in a browser, as its users see it. */
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { SkippingClock } from '../../src/workbench/clocks.ts';
import { prepareSandbox, type Sandbox } from '../../src/workbench/sandbox-start.ts';
import { seededRandom } from '../seeded-random.ts';
import { openWindow } from './windows.ts';

/** Whether a browser is available for the page's tests; start-browser.ts gives the reason when not. */
export const hasBrowser = inject('surroundings').address !== undefined;

export interface Desk extends Sandbox {
  readonly clock: SkippingClock;
  /** Opens another window and waits until its page is idle. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** Runs a command without a window, as ada by default. */
  readonly gig: (channel: string, text: string, user?: string) => Promise<void>;
}

export interface DeskOptions {
  readonly clock?: () => SkippingClock;
  readonly seed?: number;
  /** Runs before a window opens. */
  readonly prepare?: (desk: Desk) => Promise<void>;
}

interface RunningDesk extends Desk {
  /** All errors since the last call: in the browser, in the simulated Slack, in the app's log. */
  takeComplaints(): readonly string[];
  closeWindows(): Promise<void>;
}

/** Source of the log's error when a commit takes over 2 s: a busy machine can cause it. */
const ONLY_SLOW = 'gate/recorder';

async function startDesk(options: DeskOptions): Promise<RunningDesk> {
  const { address, root } = inject('surroundings');
  const complaints: string[] = [];
  const clock = options.clock?.() ?? new SkippingClock();
  const sandbox = await prepareSandbox({
    clock,
    random: seededRandom(options.seed ?? 7),
    logLevel: 'error',
    log: { write: (line) => line.includes(ONLY_SLOW) || complaints.push(`logged: ${line}`) },
    port: 0,
    root,
    timezone: 'Europe/Berlin',
  });
  const browser = await chromium.connect(address ?? expect.fail('there is no browser'));
  const { slack } = sandbox;
  const closeWindows = async () => {
    for (const context of browser.contexts()) await context.close();
    // An open view shows in every window of the person.
    for (const { id } of slack.users()) while (slack.view(id)) await slack.closeView({ user: id });
  };
  const desk: RunningDesk = {
    ...sandbox,
    clock,
    open: (window = {}) => openWindow(browser, sandbox.page.origin, complaints, window),
    gig: async (channel, text, user = 'ada') => {
      await slack.runSlashCommand({ user, channel, text });
    },
    takeComplaints: () => [
      ...complaints.splice(0),
      ...slack.failedCalls().map((call) => JSON.stringify(call)),
    ],
    closeWindows,
    stop: async () => {
      await closeWindows();
      await browser.close();
      await sandbox.stop();
    },
  };
  await sandbox.start();
  await options.prepare?.(desk);
  return desk;
}

/**
 * One sandbox for the surrounding `describe`. Each test fails when the browser, the simulated Slack or the
 * app reports an error.
 */
export function setUpDesk(options: DeskOptions = {}): () => Desk {
  let desk: RunningDesk;
  beforeAll(async () => {
    desk = await startDesk(options);
  });
  afterEach(async () => {
    await desk.closeWindows();
    expect(desk.takeComplaints()).toEqual([]);
  });
  afterAll(() => desk?.stop());
  return () => desk;
}
