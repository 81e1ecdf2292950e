/** All collections of the store. */
import { accessLists, accessRequests } from '../access/access.ts';
import { projectAliases } from '../aliases/project-aliases.ts';
import { auditEntries } from '../audit/audit.ts';
import { bidDrafts } from '../bidding/draft-records.ts';
import { bids, jobs } from '../bidding/records.ts';
import {
  budgetRecords,
  channelLedgerRecords,
  creditAccounts,
  creditReservations,
  ledgerRecords,
} from '../credits/records.ts';
import { decisionHeads, decisions } from '../decisions/records.ts';
import { digestPlans, digestRecords } from '../digests/records.ts';
import { directoryEntries, directoryRefreshTimes } from '../directory/directory.ts';
import {
  cards,
  channelSettings,
  feedStates,
  filterStates,
  seenProjects,
  subscriptions,
} from '../feed/records.ts';
import { followers, followFinds, followMatches } from '../follows/records.ts';
import { hintSecrets, hintTallies } from '../hints/hints.ts';
import { invitationCards, invitationRecords } from '../invitations/records.ts';
import { posts } from '../outbox/posts.ts';
import { profileFeeds, profileSyncs } from '../profiles/records.ts';
import { projectListings, projectLookups } from '../projects/lookup-cache.ts';
import { postedOutcomes } from '../proposals/outcomes.ts';
import { responseClocks, responseSettings } from '../response/records.ts';
import { setupsStates, storedSetups } from '../setups/setups.ts';
import { accountStates } from '../slack/account/account-decisions.ts';
import { cardWindows } from '../slack/cards/card-window.ts';
import { refusedBlocks } from '../slack/core/block-support.ts';
import { handledCalls } from '../slack/core/call-tracking.ts';
import { channelAliases } from '../slack/core/channel-aliases.ts';
import { homeChannels } from '../slack/core/user-channels.ts';
import { deliveryStops } from '../slack/delivery/stops.ts';
import { invitationWindows } from '../slack/invitations/invitation-details.ts';
import { responseForms } from '../slack/response/response-settings.ts';
import { settingsForms } from '../slack/settings/settings-command.ts';
import { setupForms } from '../slack/setup/setup-forms.ts';
import { botChannels } from '../slack/setup/welcome.ts';
import { backfillQuestions } from '../slack/subscriptions/backfill-question.ts';
import { cardChanges, watchedChannels } from '../sources/card-changes.ts';
import { connectsUses, connectsWeeks, spendingRules } from '../spending/spending.ts';
import { templateDrafts } from '../templates/records.ts';
import { clockRecords, gateRecords } from './process-records.ts';

export const allCollections = [
  accessLists,
  accessRequests,
  accountStates,
  creditAccounts,
  auditEntries,
  backfillQuestions.collection,
  bidDrafts,
  bids,
  botChannels,
  budgetRecords,
  cardChanges,
  cards,
  cardWindows.collection,
  channelAliases,
  channelLedgerRecords,
  channelSettings,
  clockRecords,
  decisionHeads,
  decisions,
  deliveryStops,
  digestPlans,
  digestRecords,
  directoryEntries,
  directoryRefreshTimes,
  feedStates,
  filterStates,
  followers,
  followFinds,
  followMatches,
  gateRecords,
  handledCalls,
  hintSecrets,
  hintTallies,
  homeChannels,
  invitationCards,
  invitationRecords,
  invitationWindows.collection,
  jobs,
  ledgerRecords,
  projectListings,
  projectLookups,
  postedOutcomes,
  posts,
  profileFeeds,
  profileSyncs,
  projectAliases,
  creditReservations,
  refusedBlocks,
  responseClocks,
  responseForms.collection,
  responseSettings,
  seenProjects,
  settingsForms.collection,
  setupForms.collection,
  setupsStates,
  spendingRules,
  connectsUses,
  connectsWeeks,
  storedSetups,
  subscriptions,
  templateDrafts,
  watchedChannels,
] as const;
