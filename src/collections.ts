/** Every collection that the store must know, gathered where the app is put together. */
import { accessLists, accessRequests } from './access/access.ts';
import { projectAliases } from './aliases/project-aliases.ts';
import { auditEntries } from './audit/audit.ts';
import { bidDrafts, bids, jobs } from './bidding/records.ts';
import { clockRecords } from './clock-record.ts';
import {
  accounts,
  budgetRecords,
  channelLedgerRecords,
  creditPools,
  ledgerRecords,
  reservations,
} from './credits/records.ts';
import { digestPlans, digestRecords, tuningNotes } from './digests/records.ts';
import { directoryEntries, directoryTries } from './directory/directory.ts';
import { cards, channelSettings, feedStates, filters, seenProjects, subscriptions } from './feed/records.ts';
import { gateRecords } from './gate-journal.ts';
import { invitationCards, invitationRecords } from './invitations/records.ts';
import { posts } from './outbox/posts.ts';
import { profileFeeds, profileSyncs } from './profiles/records.ts';
import { listings } from './projects/listings.ts';
import { lookups } from './projects/lookups.ts';
import { outcomesTold } from './proposals/outcomes-told.ts';
import { setupsStates, storedSetups } from './setups/setups.ts';
import { deliveryStops } from './slack/delivery/stops.ts';
import { detailsThreads } from './slack/details-threads.ts';
import { homeChannels } from './slack/home/records.ts';
import { settingsForms } from './slack/settings-forms.ts';
import { shownProposals } from './slack/shown-proposals.ts';
import { templateDrafts } from './templates/records.ts';

export const collections = [
  accessLists,
  accessRequests,
  accounts,
  auditEntries,
  bidDrafts,
  bids,
  budgetRecords,
  cards,
  channelLedgerRecords,
  channelSettings,
  clockRecords,
  creditPools,
  deliveryStops,
  detailsThreads,
  digestPlans,
  digestRecords,
  directoryEntries,
  directoryTries,
  feedStates,
  filters,
  gateRecords,
  homeChannels,
  invitationCards,
  invitationRecords,
  jobs,
  ledgerRecords,
  listings,
  lookups,
  outcomesTold,
  posts,
  profileFeeds,
  profileSyncs,
  projectAliases,
  reservations,
  seenProjects,
  settingsForms,
  setupsStates,
  shownProposals,
  storedSetups,
  subscriptions,
  templateDrafts,
  tuningNotes,
] as const;
