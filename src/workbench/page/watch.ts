/** What changes in both simulated services, as events for the page. */
import { machineClock, SECOND } from '../../clock.ts';
import type { Change } from '../slack/objects.ts';
import type { SlackScreens } from '../slack/simulated-slack.ts';
import type { EventStream } from './event-stream.ts';
import type { MarketDesk } from './market.ts';
import type { PageEvent } from './protocol.ts';

/** The marketplace tells nobody of its changes, so it is looked at. */
const LOOK_EVERY_MS = 2 * SECOND;

export function eventOf(change: Change): PageEvent | undefined {
  switch (change.kind) {
    case 'posted':
    case 'edited':
    case 'deleted':
    case 'ephemeral':
    case 'unfurled':
    case 'reacted': {
      const { channel, ts, threadTs } = change.message;
      return { kind: 'message', channel, ts, ...(threadTs === undefined ? {} : { thread: threadTs }) };
    }
    case 'view':
      return { kind: 'views', person: change.userId };
    case 'home':
      return { kind: 'home', person: change.userId };
    case 'called':
    case 'quiet':
    case 'connection':
      return undefined;
  }
}

/** The returned function ends it. */
export function watch(slack: SlackScreens, market: MarketDesk, events: EventStream): () => void {
  const stopListening = slack.onChange((change) => {
    const event = eventOf(change);
    if (event) events.tell(event);
  });
  let last = '';
  const look = () => {
    stopLooking = machineClock.after(LOOK_EVERY_MS, look);
    if (events.size === 0) return;
    const { now: _always, ...books } = market.show();
    const present = JSON.stringify(books);
    if (present !== last) events.tell({ kind: 'market' });
    last = present;
  };
  let stopLooking = machineClock.after(LOOK_EVERY_MS, look);
  return () => {
    stopListening();
    stopLooking();
  };
}
