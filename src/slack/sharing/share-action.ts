/** Posts the proposals or statistics that one person saw to their channel, once. */
import { SlackCallError } from '../core/errors.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message, Services } from '../core/routes.ts';
import { SHARE_REQUEST_LABEL } from '../core/slow-reply.ts';
import { findMembershipRefusal } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import {
  findProposalReadTime,
  type ProposalFacts,
  proposalDetailsMessage,
  proposalsMessage,
  proposalView,
  readShownProposalsPage,
  sharedProposalMessage,
  sharedProposalsMessage,
} from '../proposals/proposals.ts';
import {
  funnelMessage,
  readFunnelFacts,
  readStats,
  sharedFunnelMessage,
  sharedStatsMessage,
  statsMessage,
} from '../stats/stats.ts';
import {
  claimSharing,
  readShownProposals,
  releaseSharingClaim,
  SHARE_OUTDATED_MESSAGE,
  SHARE_UNCERTAIN,
  SHARED_ALREADY,
  SHARED_DATA_DELETED,
  type ShownProposals,
} from './shown-proposals.ts';

/** The post, and what the person sees afterwards. */
interface Sharing {
  readonly post: Message;
  readonly afterwards: Message;
  /** For one proposal, which may be shown in a modal. */
  readonly facts?: ProposalFacts;
}

async function funnelSharing(
  { services, person }: ActionCall,
  { channel }: ShownProposals,
  funnel: NonNullable<ShownProposals['funnel']>,
): Promise<Sharing | undefined> {
  const context = { services, person, channel };
  const post = await readFunnelFacts(context, funnel, true);
  if (post.funnel.all.reached.found === 0) return undefined;
  const afterwards = { ...(await readFunnelFacts(context, funnel)), isShared: true };
  return { post: sharedFunnelMessage(post, person.user), afterwards: funnelMessage(afterwards) };
}

async function sharingOf(call: ActionCall, shown: ShownProposals): Promise<Sharing | undefined> {
  const { services, person } = call;
  const { proposals, clock } = services;
  if (shown.funnel) return funnelSharing(call, shown, shown.funnel);
  if (shown.statistics) {
    const facts = await readStats(services, shown.statistics);
    if (facts.statistics.all.funnel.sent === 0) return undefined;
    return {
      post: sharedStatsMessage(facts, person.user),
      afterwards: statsMessage({ ...facts, isShared: true }),
    };
  }
  if (shown.search) {
    const page = await readShownProposalsPage(services, shown);
    if (!page) return undefined;
    const post = sharedProposalsMessage(page, person.user, clock.now());
    return { post, afterwards: proposalsMessage({ ...page, isShared: true }) };
  }
  const [id] = shown.proposals;
  const found = id === undefined ? undefined : await proposals.findProposal({ id });
  if (found?.kind !== 'found') return undefined;
  const facts = { proposal: found.proposal, ...findProposalReadTime(services, found) };
  const afterwards = { ...facts, isShared: true, share: shown.id };
  return {
    post: sharedProposalMessage(facts, person.user),
    afterwards: proposalDetailsMessage(afterwards),
    facts: afterwards,
  };
}

/** @returns whether the post succeeded, as far as Slack says. */
async function post(call: ActionCall, shown: ShownProposals, message: Message): Promise<boolean> {
  const { store, log } = call.services;
  try {
    await call.answer(message, 'channel');
    return true;
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.failureKind === 'unknown') {
      log.warn('sharing proposals has an unknown outcome', { error: thrown.code, channel: call.channel });
      await call.answer(SHARE_UNCERTAIN);
      return false;
    }
    await store.transact((tx) => releaseSharingClaim(tx, shown));
    throw thrown;
  }
}

async function showShared(call: ActionCall, { afterwards, facts }: Sharing): Promise<void> {
  if (!call.view) return call.replace(afterwards);
  if (facts) await updateViewIfOpen(call.services, call.view.id, proposalView(facts));
}

async function share(call: ActionCall): Promise<void> {
  const { store, team, clock } = call.services;
  const whose = { team, user: call.person.user };
  const shown = await store.read((tx) => readShownProposals(tx, whose, call.value));
  if (!shown) return call.answer(SHARE_OUTDATED_MESSAGE);
  if (shown.sharedAt !== undefined) return call.answer(SHARED_ALREADY);
  // A modal may stay open after its owner left the channel, and Slack names no channel for a press in it.
  const refusal = call.view && (await findMembershipRefusal(call.services, call.person.user, call.channel));
  if (refusal) return call.answer({ text: refusal });
  const sharing = await sharingOf(call, shown);
  if (!sharing) return call.answer(SHARED_DATA_DELETED);
  if (!(await store.transact((tx) => claimSharing(tx, shown, clock.now()))))
    return call.answer(SHARED_ALREADY);
  if (await post(call, shown, sharing.post)) await showShared(call, sharing);
}

async function placeOf(services: Services, user: ShownProposals['user'], id: string) {
  return (await services.store.read((tx) => readShownProposals(tx, { team: services.team, user }, id)))
    ?.channel;
}

export const shareProposalsAction: ActionRoute = {
  id: actionIds.proposalsShare,
  needs: 'viewer',
  pendingLabel: SHARE_REQUEST_LABEL,
  hasSideEffects: true,
  // The channel where the modal was opened, from our own record, which only its owner's presses can find.
  findChannel: ({ services, user, view }) => placeOf(services, user, view.privateMetadata),
  run: share,
};
