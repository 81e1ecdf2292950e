/** Every collection that the store must know, gathered where the app is put together. */
import {
  accounts,
  budgetRecords,
  channelLedgerRecords,
  ledgerRecords,
  reservations,
} from './credits/records.ts';
import { cards, channelSettings, feedStates, filters, seenProjects, subscriptions } from './feed/records.ts';
import { gateRecords } from './gate-journal.ts';
import { posts } from './outbox/posts.ts';
import { lookups } from './projects/lookups.ts';
import { deliveryStops } from './slack/delivery/stops.ts';
import { detailsThreads } from './slack/details-threads.ts';

export const collections = [
  accounts,
  budgetRecords,
  cards,
  channelLedgerRecords,
  channelSettings,
  deliveryStops,
  detailsThreads,
  feedStates,
  filters,
  gateRecords,
  ledgerRecords,
  lookups,
  posts,
  reservations,
  seenProjects,
  subscriptions,
] as const;
