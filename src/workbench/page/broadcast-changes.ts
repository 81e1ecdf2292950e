/** Sends changes of both simulated services to the page as events. */
import { machineClock, SECOND } from '../../clock.ts';
import type { SlackChange } from '../slack/objects.ts';
import type { SlackWorkspaceContents } from '../slack/simulated-slack.ts';
import type { EventStream } from './event-stream.ts';
import type { MarketController } from './market-controller.ts';
import type { PageGuide } from './page-guide.ts';
import type { PageEvent } from './protocol.ts';

/** The marketplace emits no events, so it is polled. */
const LOOK_EVERY_MS = 8 * SECOND;

export function pageEventForChange(change: SlackChange): PageEvent | undefined {
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

/** The returned function stops it. */
export function broadcastChanges(
  slack: SlackWorkspaceContents,
  market: MarketController,
  guide: PageGuide,
  events: EventStream,
): () => void {
  const stopListening = slack.onChange((change) => {
    const event = pageEventForChange(change);
    if (event) events.sendToAll(event);
  });
  let last = '';
  const look = () => {
    stopLooking = machineClock.runAfter(LOOK_EVERY_MS, look);
    if (events.size === 0) return;
    const { now: _always, ...books } = market.readMarket();
    const present = JSON.stringify([books, guide.listSteps()]);
    if (present !== last) events.sendToAll({ kind: 'market' });
    last = present;
  };
  let stopLooking = machineClock.runAfter(LOOK_EVERY_MS, look);
  return () => {
    stopListening();
    stopLooking();
  };
}
