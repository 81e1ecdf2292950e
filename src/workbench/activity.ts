/** Counts the app's running work (requests, disk), so that the clock can wait until the app has caught up. */
import { setImmediate } from 'node:timers/promises';
import { machineClock } from '../clock.ts';

/** A fault can hold a request; disk work always ends. */
type Kind = 'request' | 'disk';

export interface InFlightWorkCounter {
  trackWork<T>(kind: Kind, work: Promise<T>): Promise<T>;
  readonly requests: number;
  readonly disk: number;
  /** Increases whenever work begins or ends. */
  readonly events: number;
  /** The work that was last found to be held by faults. */
  held: string;
}

export function createInFlightWorkCounter(): InFlightWorkCounter {
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
    held: '',
  };
}

/** The app counts as idle after this many event loop turns without running work. */
const CALM_TURNS = 12;
/** Requests are open, but nothing happens for this long: a fault holds them, and they wait for the clock. */
const HELD_TURNS = 1_000;
const HELD_MS = 60;

/**
 * Resolves when the app waits only for the clock, or for a response that a fault holds. Both ends of every
 * connection are in this process. A request that no fault holds makes progress within a few turns, even on a
 * loaded machine. Disk work is always awaited.
 */
export async function waitUntilAppIdle(
  activity: InFlightWorkCounter,
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
    // Held before, and nothing began or ended since: a few turns show that this is still so.
    const isHeld =
      activity.held === now
        ? still > 2 * CALM_TURNS
        : still > HELD_TURNS && machineClock.now() - stillSince > HELD_MS;
    if (activity.disk === 0 && isHeld) {
      activity.held = now;
      return;
    }
    calm = activity.requests + activity.disk + open === 0 ? calm + 1 : 0;
  }
}
