/** Creates a workspace's services, and connects them: the only place that does. */
import { createAccessService } from '../access/create-access.ts';
import { createBiddingService } from '../bidding/create-bidding.ts';
import { refreshProjectCards } from '../bidding/post-bid-news.ts';
import { createProjectClaims } from '../bidding/project-bidding.ts';
import { machineRandomBytes } from '../clock.ts';
import { createDigestService } from '../digests/digests.ts';
import { createNameDirectory } from '../directory/directory.ts';
import { createFeedService } from '../feed/create-feed.ts';
import { createFollowService } from '../follows/follows.ts';
import { createFunnelService } from '../funnel/funnel.ts';
import { createHintService } from '../hints/hints.ts';
import { InvitationService } from '../invitations/invitation-service.ts';
import { createProfileFeedControl } from '../profiles/profile-feeds.ts';
import { createProfileFeedService } from '../profiles/profiles.ts';
import { createProjectService } from '../projects/projects.ts';
import { announceOutcomes } from '../proposals/announce-outcomes.ts';
import { createProposalSearch } from '../proposals/create-search.ts';
import { createProposalMirror } from '../proposals/mirror.ts';
import { createProposalService, createTeamRecord } from '../proposals/proposals.ts';
import { createResponseService } from '../response/create-response.ts';
import { createSetupService } from '../setups/setups.ts';
import { routeTable } from '../slack/all-routes.ts';
import { findApprovers } from '../slack/bids/approvers.ts';
import { mayBid } from '../slack/bids/held-actions.ts';
import { createBlockSupport } from '../slack/core/block-support.ts';
import { HomeCache, UnfurlQueue } from '../slack/core/home-cache.ts';
import { createPersonResolver } from '../slack/core/person-resolver.ts';
import { createJsonPoster } from '../slack/core/replies.ts';
import type { Services } from '../slack/core/routes.ts';
import { createSlackCalls } from '../slack/core/slack-calls.ts';
import { SlackDispatcher } from '../slack/core/slack-dispatcher.ts';
import { DeliveryWorker } from '../slack/delivery/delivery.ts';
import { createDeliveryPort } from '../slack/delivery/web-port.ts';
import { readFollowerMembership } from '../slack/follows/follow-command.ts';
import { createPostRenderer } from '../slack/render-post.ts';
import { createDutyCheck } from '../slack/response/check-duty.ts';
import { createMissedInvitationsJob } from '../slack/setup/welcome.ts';
import { listMissingOptionalScopes } from '../slack-scopes.ts';
import { createSpendingService } from '../spending/create-spending.ts';
import { createTemplateService } from '../templates/templates.ts';
import type { WorkspaceBase, WorkspaceLife, WorkspaceOptions } from './workspace-base.ts';

export async function createWorkspaceServices(
  { config, ports, version, counters, connection, searchIndex, confirmOwner }: WorkspaceOptions,
  base: WorkspaceBase,
  life: WorkspaceLife,
) {
  const { parts: given, watch, clients, ownFetch, channelIds, identity, shelves } = base;
  const { team, store } = given;
  const setups = createSetupService(given);
  const directory = createNameDirectory({ ...given, setups });
  const parts = { ...given, setups, directory, projectClaims: createProjectClaims() };
  const follows = createFollowService({
    ...parts,
    readMembership: (user) => readFollowerMembership(services, user),
  });
  const feed = createFeedService({
    ...parts,
    projectFollowers: follows.projectFollowers,
    profileFeedControl: createProfileFeedControl(),
    teamRecord: createTeamRecord(() => mirror),
    onHintedRead: () => counters.countHintedRead(),
  });
  const profiles = createProfileFeedService(parts);
  const projects = createProjectService({
    ...parts,
    onLinked: (tx, project) => refreshProjectCards(tx, { project }),
  });
  const mirror = createProposalMirror({
    ...parts,
    shelves,
    profiles,
    onChanges: (changes) => announceOutcomes(parts, changes),
  });
  const search = createProposalSearch({ mirror, keepsIndex: searchIndex, ...ports });
  const invitations = new InvitationService(parts);
  profiles.onChange(() => {
    mirror.wake();
    invitations.wake();
  });
  const bidding = createBiddingService({
    ...parts,
    findApprovers: (channel, except) => findApprovers(services, channel, except),
    mayBid: (user, channel) => mayBid(services, user, channel),
  });
  const funnel = createFunnelService({ ...parts, feed });
  const hints = createHintService({
    ...parts,
    feed,
    randomBytes: machineRandomBytes,
    server: config.http,
    counters,
  });
  const dutyCheck = createDutyCheck(() => services, clients.main.users);
  const response = createResponseService({ ...parts, findUnavailable: dutyCheck });
  const spending = createSpendingService(parts);
  const access = createAccessService(parts);
  const templates = createTemplateService(parts);
  await templates.recoverUnansweredClaims();
  const digests = createDigestService({ ...parts, feed, profiles, mirror });
  const blockSupport = createBlockSupport({ ...parts, version });
  const shown = { team, feed, response, workspaceUrl: identity.workspaceUrl, account: connection };
  const delivery = new DeliveryWorker({
    ...parts,
    feed,
    render: createPostRenderer(shown),
    port: createDeliveryPort(clients.withoutRetries, blockSupport),
    onOutcome: (outcome) => counters.countDelivery(outcome),
  });
  const people = createPersonResolver({
    info: (user) => clients.main.users.info({ user }),
    members: (usergroup) => clients.main.usergroups.users.list({ usergroup }),
    access,
    ...parts,
  });
  const services: Services = {
    ...parts,
    version,
    channelIds,
    startedAt: ports.clock.now(),
    storeDamageNotices: store.notices,
    invalidRecords: store.invalidRecords,
    clockState: () => watch.readClockState(),
    feed,
    profiles,
    projects,
    proposals: createProposalService({ ...parts, mirror, search }),
    bidding,
    access,
    templates,
    digests,
    funnel,
    hints,
    follows,
    response,
    spending,
    delivery,
    resolvePerson: (...asked) => people.resolvePerson(...asked),
    slack: createSlackCalls(clients, blockSupport, ownFetch),
    blockSupport,
    missingScopes: listMissingOptionalScopes(identity.scopes),
    account: connection,
    homes: new HomeCache(ports.clock),
    unfurlQueue: new UnfurlQueue(),
  };
  const poster = createJsonPoster(ports.dispatcher);
  life.open('Slack responses', () => poster.close());
  const missedInvitationsJob = createMissedInvitationsJob(services, identity.botUserId);
  const dispatcher = new SlackDispatcher({
    table: routeTable,
    services,
    people,
    post: async (address, json, signal) => {
      await confirmOwner?.();
      return poster.post(address, JSON.stringify(channelIds.toOutside(JSON.parse(json))), signal);
    },
    watch: counters,
  });
  return { services, dispatcher, delivery, invitations, missedInvitationsJob };
}
export type WorkspaceServices = Awaited<ReturnType<typeof createWorkspaceServices>>;
