/** The sandbox in a browser, as somebody who tries it has it before them. */
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import type { ChartRenderer } from '../../src/pictures/chart-renderer.ts';
import { createChartRenderer } from '../../src/pictures/create-chart-renderer.ts';
import { SkippingClock } from '../../src/workbench/clocks.ts';
import { prepareSandbox, type Sandbox } from '../../src/workbench/sandbox-start.ts';
import { seededRandom } from '../seeded-random.ts';
import { openWindow } from './windows.ts';

/** Whether there is a browser to try the page in; start-browser.ts says why not. */
export const hasBrowser = inject('surroundings').address !== undefined;

export interface Desk extends Sandbox {
  readonly clock: SkippingClock;
  /** Another window of the browser, in which the page has come to rest. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** A command that nobody needs to watch, by ada where nobody is named. */
  readonly gig: (channel: string, text: string, user?: string) => Promise<void>;
}

export interface DeskOptions {
  readonly clock?: () => SkippingClock;
  readonly seed?: number;
  /** Before a window is opened. */
  readonly prepare?: (desk: Desk) => Promise<void>;
}

interface RunningDesk extends Desk {
  /** All that went wrong since the last question: in the browser, in the simulated Slack, in the app's log. */
  takeComplaints(): readonly string[];
  closeWindows(): Promise<void>;
}

/** Where the error comes from that a disk brings to the log that keeps the gate waiting for 2 s: on a busy machine, it may. */
const ONLY_SLOW = 'gate-recorder';

async function startDesk(options: DeskOptions, pictures: ChartRenderer): Promise<RunningDesk> {
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
    pictures,
    timezone: 'Europe/Berlin',
  });
  const browser = await chromium.connect(address ?? expect.fail('there is no browser'));
  const { slack } = sandbox;
  const closeWindows = async () => {
    for (const context of browser.contexts()) await context.close();
    // What is open before somebody is so in each of their windows.
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
      await pictures.close();
    },
  };
  await sandbox.start();
  await options.prepare?.(desk);
  return desk;
}

/**
 * One sandbox for the tests that are described around it. Each of them fails where the browser, the simulated Slack or the app
 * complained of anything.
 */
export function setUpDesk(options: DeskOptions = {}): () => Desk {
  let desk: RunningDesk;
  beforeAll(async () => {
    const { worker } = inject('surroundings');
    desk = await startDesk(options, createChartRenderer({ clock: machineClock, workerUrl: new URL(worker) }));
  });
  afterEach(async () => {
    await desk.closeWindows();
    expect(desk.takeComplaints()).toEqual([]);
  });
  afterAll(() => desk?.stop());
  return () => desk;
}
