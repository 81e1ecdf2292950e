/** Counts what the app has under way (requests, disk work), so that whoever moves the clock knows when it has kept up. */
import { setImmediate } from 'node:timers/promises';
import { machineClock } from '../clock.ts';

/** A request can be held back by a fault; the disk always ends what it began. */
type Kind = 'request' | 'disk';

export interface ActivityCounter {
  /** Counts `work` until it is over. */
  trackWork<T>(kind: Kind, work: Promise<T>): Promise<T>;
  readonly requests: number;
  readonly disk: number;
  /** Rises with every beginning and every end. */
  readonly events: number;
}

export function createActivityCounter(): ActivityCounter {
  const inFlight = { request: 0, disk: 0 };
  let events = 0;
  return {
    trackWork: (kind, work) => {
      inFlight[kind]++;
      events++;
      return work.finally(() => {
        inFlight[kind]--;
        events++;
      });
    },
    get requests() {
      return inFlight.request;
    },
    get disk() {
      return inFlight.disk;
    },
    get events() {
      return events;
    },
  };
}

/** Turns of the event loop without anything under way after which the app is taken to be at rest. */
const CALM_TURNS = 12;
/** Requests are under way but nothing happens for so long: a fault holds them, and they wait for the clock. */
const HELD_TURNS = 1_000;
const HELD_MS = 60;

/**
 * Resolves when the app waits for nothing but the clock, or for an answer that a fault holds back. Both ends of every
 * connection are in this process, so a request that nobody holds makes something happen within a few turns, however
 * loaded the machine is; a slow disk is always waited for.
 */
export async function waitUntilAppIdle(
  activity: ActivityCounter,
  openElsewhere: () => number,
): Promise<void> {
  let calm = 0;
  let still = 0;
  let stillSince = machineClock.now();
  let last = '';
  while (calm < CALM_TURNS) {
    await setImmediate();
    const open = openElsewhere();
    const now = `${activity.events} ${open}`;
    if (now !== last) {
      last = now;
      still = 0;
      stillSince = machineClock.now();
    }
    still++;
    const isHeld = still > HELD_TURNS && machineClock.now() - stillSince > HELD_MS;
    if (activity.disk === 0 && isHeld) return;
    calm = activity.requests + activity.disk + open === 0 ? calm + 1 : 0;
  }
}
