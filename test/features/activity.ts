/** Counts what the app has under way (requests, disk work), so that a test knows when it may move the clock. */
import { setImmediate } from 'node:timers/promises';

export interface Activity {
  /** Counts `work` until it is over. */
  during<T>(work: Promise<T>): Promise<T>;
  readonly underWay: number;
  /** Rises with every beginning and every end. */
  readonly events: number;
}

export function countActivity(): Activity {
  let underWay = 0;
  let events = 0;
  const end = () => {
    underWay--;
    events++;
  };
  return {
    during: (work) => {
      underWay++;
      events++;
      return work.finally(end);
    },
    get underWay() {
      return underWay;
    },
    get events() {
      return events;
    },
  };
}

/** Turns of the event loop without anything under way after which the app is taken to be at rest. */
const CALM_TURNS = 6;
/** Something is under way but nothing happens for so many turns: it is held by a fault, and waits for the clock. */
const HELD_TURNS = 3_000;

/** Resolves when the app waits for nothing but the clock (or for an answer that a fault holds back). */
export async function settle(activity: Activity, openElsewhere: () => number): Promise<void> {
  let calm = 0;
  let still = 0;
  let last = '';
  while (calm < CALM_TURNS && still < HELD_TURNS) {
    await setImmediate();
    const open = openElsewhere();
    const now = `${activity.events} ${open}`;
    still = now === last ? still + 1 : 0;
    last = now;
    calm = activity.underWay + open === 0 ? calm + 1 : 0;
  }
}
