/**
 * `/gig bid`, and opening the bid modal from a card or a bid's message. The message decides which project it
 * is; the button's value only chooses.
 */
import { findProjectAliases } from '../../aliases/project-aliases.ts';
import { type BidProjectInfo, openBidDraft } from '../../bidding/bid-drafts.ts';
import type { Bid } from '../../bidding/bidding.ts';
import { readBid, readJob } from '../../bidding/project-bidding.ts';
import { suggestSetup } from '../../bidding/suggest-setup.ts';
import { refillBidForm } from '../../bidding/validate-bid-form.ts';
import type { Instant } from '../../clock.ts';
import { findSeenProject, readSeenProject } from '../../feed/find-project.ts';
import { BidId, type ChannelId, type MessageTs, ProjectKey, type UserId } from '../../ids.ts';
import { findInvitedProject, readInvitation } from '../../invitations/invitations.ts';
import { parseProjectKey, parseProjectReference, projectReferenceId } from '../../marketplace/project-key.ts';
import { findPostByMessage, readPost } from '../../outbox/outbox.ts';
import type { PostContent } from '../../outbox/posts.ts';
import { findCachedListing } from '../../projects/lookup-cache.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import { CARD_GONE } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { invalidProjectReferenceMessage } from '../kit/project/project-lines.ts';
import { findRecentProjectLookup, readBidFormFacts, type StoredBidFormFacts } from './bid-form-facts.ts';
import { matchRequestedSetup, openBidForm } from './bid-show.ts';

interface CallOrigin {
  readonly channel: ChannelId;
  readonly user: UserId;
  readonly now: Instant;
}

/** Known details of a project besides its key, from whatever names it. */
interface KnownProjectDetails {
  readonly project: ProjectKey;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly marketplaceJobId?: string | undefined;
}

/** All that our records know of a project to bid on. */
export async function readBidProjectInfo(
  tx: ReadTransaction,
  spot: CallOrigin,
  named: KnownProjectDetails,
): Promise<BidProjectInfo> {
  const { project } = named;
  const seen = (await findSeenProject(tx, { project }))?.project;
  const listing = await findCachedListing(tx, project, spot.now);
  const url = seen?.url ?? listing?.url ?? named.url;
  const names = [url, named.marketplaceJobId, project];
  const reference = names.map((it) => parseProjectReference(it ?? '')).find(Boolean);
  const looked = await findRecentProjectLookup(tx, reference, spot.now);
  const id = reference && projectReferenceId(reference);
  const marketplaceJobId = named.marketplaceJobId ?? id;
  // The marketplace's own words take precedence over typed ones.
  const known = [seen, looked, listing, named];
  return {
    channel: spot.channel,
    project,
    title: known.find((it) => it?.title)?.title || `Project ${id ?? project}`,
    url: known.find((it) => it?.url !== undefined)?.url,
    questions: [looked, seen, listing].find((it) => it?.questions !== undefined)?.questions,
    connectsPrice: looked?.connectsPrice,
    usOnly: looked?.usOnly,
    ukOnly: looked?.ukOnly,
    marketplaceJobId,
  };
}

/**
 * A bid's project with its setup. Prefills the sent form only in the bid's own channel or for its author:
 * several channels may have a card of the project, but must not read another channel's bid.
 */
async function subjectOfBid(tx: ReadTransaction, spot: CallOrigin, bid: Bid): Promise<BidProjectInfo> {
  const { project, title, url, request } = bid;
  const { marketplaceJobId, setup } = request;
  const subject = await readBidProjectInfo(tx, spot, { project, title, url, marketplaceJobId });
  if (bid.channel !== spot.channel && bid.by !== spot.user) return { ...subject, setup };
  return { ...subject, setup, form: refillBidForm(request, subject.questions) };
}

async function readContent(tx: ReadTransaction, channel: ChannelId, ts: MessageTs) {
  const { content, under } = (await findPostByMessage(tx, channel, ts)) ?? {};
  if (content?.kind !== 'bid-news' || under === undefined) return content;
  // A bid update is about the message it belongs to.
  return (await readPost(tx, under))?.content;
}

async function findBid(tx: ReadTransaction, value: string): Promise<Bid | undefined> {
  const id = BidId.safeParse(value).data;
  return id === undefined ? undefined : readBid(tx, id);
}

/** The project of a card or an invitation. The value counts only if it names a bid on the same project. */
async function subjectOfProject(
  tx: ReadTransaction,
  spot: CallOrigin,
  named: KnownProjectDetails,
  value: string,
): Promise<BidProjectInfo> {
  const bid = await findBid(tx, value);
  const { project } = named;
  const isOn = bid && (await findProjectAliases(tx, { project })).keys.includes(bid.project);
  return isOn ? subjectOfBid(tx, spot, bid) : readBidProjectInfo(tx, spot, named);
}

async function subjectOfContent(tx: ReadTransaction, spot: CallOrigin, content: PostContent, value: string) {
  const { kind } = content;
  if (kind === 'card') return subjectOfProject(tx, spot, content, value);
  if (kind === 'bid' || kind === 'held-order') {
    const bid = content.bid === undefined ? undefined : await readBid(tx, content.bid);
    return bid && subjectOfBid(tx, spot, bid);
  }
  if (kind === 'job' || kind === 'approval-request') {
    const job = await readJob(tx, content.job);
    if (job?.project === undefined) return undefined;
    const { project, title, marketplaceJobId } = job;
    return readBidProjectInfo(tx, spot, { project, title, marketplaceJobId });
  }
  if (kind !== 'invitation') return undefined;
  const record = await readInvitation(tx, content.invitation);
  const invited = record && findInvitedProject(record);
  return invited && subjectOfProject(tx, spot, { ...invited, title: record.title || undefined }, value);
}

/**
 * The project of a pressed message. We store no ephemeral messages: there the value names the bid, which must
 * belong to this channel.
 */
export async function findPressedBidProject(
  tx: ReadTransaction,
  spot: CallOrigin,
  ts: MessageTs | undefined,
  value: string,
): Promise<BidProjectInfo | undefined> {
  const content = ts === undefined ? undefined : await readContent(tx, spot.channel, ts);
  if (content) return subjectOfContent(tx, spot, content, value);
  const bid = await findBid(tx, value);
  return bid?.channel === spot.channel ? subjectOfBid(tx, spot, bid) : undefined;
}

type Opening = Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person' | 'triggerId'>;

export function toCallOrigin({ services, channel, person }: Omit<Opening, 'triggerId'>): CallOrigin {
  return { channel, user: person.user, now: services.clock.now() };
}

/**
 * Opens the modal for the project from `find`, read in one transaction. The trigger expires after 3 s, so no
 * outside requests come first.
 * @param wanted the setup in the person's words
 * @returns false when there is nothing to bid on
 */
export async function openBidModal(
  call: Opening,
  find: (tx: Transaction) => Promise<BidProjectInfo | undefined>,
  wanted?: string,
): Promise<boolean> {
  const { services, person, triggerId } = call;
  const { store, clock, random } = services;
  const owner = { user: person.user };
  const setups = await services.setups.readStoredSetups();
  const { setup, note } = matchRequestedSetup(setups, wanted);
  const stored = await store.transact(async (tx): Promise<StoredBidFormFacts | undefined> => {
    const subject = await find(tx);
    if (!subject) return undefined;
    const at = clock.now();
    // Without a name, the one that fits best; an unknown name adds none.
    const suggested = wanted ? undefined : await suggestSetup(tx, subject, subject, setups.setups);
    const chosen = { ...subject, setup: setup ?? subject.setup, suggested: suggested ?? subject.suggested };
    return readBidFormFacts(tx, await openBidDraft(tx, owner, chosen, { at, random }), at);
  });
  if (!stored) return false;
  await openBidForm({ services, owner }, triggerId, { stored, setups, note, wanted });
  return true;
}

/** A new message may be pressed before our record of it exists; the trigger outlives these waits. */
const TRIES = 3;
const PAUSE_MS = 600;

/** Opens the modal for the pressed message, whatever the button. */
export async function openBidModalForMessage(call: ActionCall): Promise<void> {
  const ts = call.message?.ts;
  for (let tried = 1; tried <= TRIES; tried++) {
    if (tried > 1) await call.services.clock.sleep(PAUSE_MS);
    if (await openBidModal(call, (tx) => findPressedBidProject(tx, toCallOrigin(call), ts, call.value)))
      return;
  }
  await call.answer(CARD_GONE);
}

export const openBidAction: ActionRoute = { id: actionIds.bid, needs: 'bidder', run: openBidModalForMessage };

const EXAMPLE = 'bid ~012345678901234567 Night shift';
const LINK = /https?:\/\/[^\s<>|"'`“”‘’]+/iu;

interface Asked extends KnownProjectDetails {
  /** Whether the reference contains a marketplace ID; if not, our records must know the project. */
  readonly bearsId: boolean;
}

function readProject(words: string): Asked | undefined {
  const link = LINK.exec(words)?.[0];
  const reference = parseProjectReference(words);
  const id = reference && projectReferenceId(reference);
  if (link !== undefined) {
    const project = parseProjectKey(link);
    return project && { project, url: link, marketplaceJobId: id, bearsId: id !== undefined };
  }
  if (!reference || id === undefined) return undefined;
  const project = ProjectKey.parse('uid' in reference ? `uid:${id}` : id);
  return { project, marketplaceJobId: id, bearsId: true };
}

/** Uses the feed's key of the project: people may type its uid, or only the digits of its `~id`. */
async function asKnown(tx: ReadTransaction, asked: Asked): Promise<Asked> {
  const known = asked.url === undefined && (await findSeenProject(tx, asked));
  if (!known) return asked;
  const { key } = known.project;
  return { ...asked, project: key, ...(key.startsWith('~') && { marketplaceJobId: key }) };
}

async function runBid(call: CommandCall): Promise<void> {
  // Slack may put a link in angle brackets.
  const [, words = '', setup = ''] = /^(<[^>]*>|\S+)\s*([\s\S]*)$/u.exec(call.args) ?? [];
  const which = 'Which project? Paste its link, or the part of the link that starts with `~`.';
  if (words === '') return call.answer(inputErrorMessage(which, EXAMPLE));
  const asked = readProject(words);
  const isOpen =
    asked &&
    (await openBidModal(
      call,
      async (tx) => {
        const isKnown = asked.bearsId || (await readSeenProject(tx, asked.project));
        return isKnown ? readBidProjectInfo(tx, toCallOrigin(call), await asKnown(tx, asked)) : undefined;
      },
      setup.trim(),
    ));
  if (isOpen) return;
  await call.answer(invalidProjectReferenceMessage(words, EXAMPLE));
}

export const bidCommand: CommandRoute = {
  word: 'bid',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['bid <link | ~id | uid> [<setup id | name>]'],
  summary: 'Bid on a project. A form opens, with your bidding setups.',
  details:
    "The form shows the project's screening questions and which of your setups have bid. " +
    'Nothing is sent until you press *Send Bid*. If you close the form, your draft is saved. ' +
    "Enter a setup by its ID or by words from its name. The form's menu lists up to 100 setups. " +
    'For others, enter the ID. Looking up missing project details costs this channel at most 1 credit.',
  examples: [
    'bid https://www.marketplace.example/jobs/~012345678901234567',
    'bid ~012345678901234567 Night shift',
    'bid ~012345678901234567 7',
  ],
  run: runBid,
};
