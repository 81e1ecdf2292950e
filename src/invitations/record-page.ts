/** Stores the outcome of a read: a page, or a failure. */
import { backoffMs } from '../base/backoff.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { isDeepEqual } from '../feed/merge-project.ts';
import { InvitationUid, type TeamId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { Invitation } from '../marketplace/schema.ts';
import { notifyProfileFailure } from '../profiles/notify-failure.ts';
import type { ProfileFeed } from '../profiles/records.ts';
import { escalateFailure, getProfileConcern } from '../sources/failure-rules.ts';
import type { Transaction } from '../storage/store.ts';
import {
  decideInvitationState,
  getInvitedTime,
  isTooOldForFeed,
  mergeInvitation,
  toInvitationRecord,
} from './decide-invitation.ts';
import { enqueueInvitationCard, updateInvitationCards } from './invitation-posts.ts';
import {
  type InvitationCard,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationRecords,
} from './records.ts';
import { type InvitationSource, type InvitationsContext, readInvitationSync } from './sources.ts';

interface InvitationReadContext {
  readonly team: TeamId;
  /** IANA name, for channels without their own time zone. */
  readonly timezone: string;
  readonly now: Instant;
  /** When the last complete read of the source began; undefined: there was none. */
  readonly readAt: Instant | undefined;
  /** When this read began; stored as the found time of new invitations. */
  readonly askedAt: Instant;
  /** The source's feeds in channels that are not paused. */
  readonly feeds: readonly ProfileFeed[];
}

/**
 * For an undated invitation, only its card prevents a second post. So the card is renewed while the server
 * still sends it.
 */
const UNDATED_KEPT_MS = 30 * DAY;

/** Whether an earlier complete read knew the card. */
function wasKnown(card: InvitationCard | undefined, { readAt }: InvitationReadContext): boolean {
  return card !== undefined && readAt !== undefined && card.foundAt <= readAt;
}

async function noteChange(
  tx: Transaction,
  reading: InvitationReadContext,
  uid: InvitationUid,
  read: Invitation,
) {
  const key = invitationKey(reading.team, uid);
  const before = await tx.get(invitationRecords, key);
  if (!before) return;
  const now = mergeInvitation(before, read);
  if (isDeepEqual(before, now)) return;
  await tx.put(invitationRecords, key, now);
  await updateInvitationCards(tx, before, now, reading.now);
}

async function tellFirst(
  tx: Transaction,
  { team, timezone, askedAt, now }: InvitationReadContext,
  uid: InvitationUid,
  read: Invitation,
  { channel }: ProfileFeed,
): Promise<void> {
  const key = invitationKey(team, uid);
  const there = await tx.get(invitationRecords, key);
  const record = there ?? toInvitationRecord(team, uid, read, askedAt);
  if (!there) await tx.put(invitationRecords, key, record);
  await enqueueInvitationCard(tx, record, channel, timezone, now);
}

/** @returns whether the feed needs nothing older than this */
async function seeFor(
  tx: Transaction,
  reading: InvitationReadContext,
  uid: InvitationUid,
  read: Invitation,
  feed: ProfileFeed,
): Promise<boolean> {
  const { team, askedAt, now } = reading;
  const { channel } = feed;
  const key = invitationCardKey(team, channel, uid);
  const card = await tx.get(invitationCards, key);
  // A newer version wrote it: the channel has it.
  if (!card && (await tx.has(invitationCards, key))) return true;
  const at = getInvitedTime(read);
  if (card && at === undefined && now - card.foundAt > UNDATED_KEPT_MS)
    await tx.put(invitationCards, key, { ...card, foundAt: askedAt });
  if (wasKnown(card, reading)) return true;
  // The past of one feed may be new to another feed of the same channel.
  if (card?.state === 'posted') return false;
  const decided = decideInvitationState(at, feed, now);
  if (decided === 'behind') return true;
  if (decided !== card?.state) {
    const dated = at === undefined ? {} : { invitedAt: at };
    await tx.put(invitationCards, key, { team, channel, uid, state: decided, ...dated, foundAt: askedAt });
  }
  if (decided === 'posted') await tellFirst(tx, reading, uid, read, feed);
  return false;
}

/**
 * Decides each invitation of a page for every feed. Decisions are final, so a page may be read repeatedly.
 * @returns whether every feed knows everything older than this page
 */
export async function recordInvitationPage(
  tx: Transaction,
  reading: InvitationReadContext,
  items: readonly Invitation[],
): Promise<boolean> {
  let isSettled = false;
  for (const read of items) {
    const uid = InvitationUid.safeParse(read.uid);
    if (!uid.success) continue;
    await noteChange(tx, reading, uid.data, read);
    let ofAll = true;
    for (const feed of reading.feeds) {
      const settled = await seeFor(tx, reading, uid.data, read, feed);
      ofAll = ofAll && settled;
    }
    if (ofAll) isSettled = true;
  }
  return isSettled;
}

/** Whether the page reaches invitations that no longer change. */
export function doesPageReachOldInvitations(items: readonly Invitation[], now: Instant): boolean {
  return items.some((each) => isTooOldForFeed(getInvitedTime(each), { startsAt: 0 }, now));
}

/** The upper limit for any pause that the server requests. */
const LONGEST_RETRY_MS = HOUR;
const FIRST_FORBIDDEN_MS = 5 * MINUTE;

function retryAfter({ code, details }: MarketplaceError, failures: number): number {
  const asked = Math.min(details.retryAfterMs ?? 0, LONGEST_RETRY_MS);
  if (code !== 'forbidden') return asked;
  return Math.max(asked, backoffMs(failures + 1, FIRST_FORBIDDEN_MS, LONGEST_RETRY_MS));
}

/**
 * @returns until when no source should be read; undefined: the others continue
 * @throws StorageError
 */
export function recordInvitationFailure(
  { team, store, clock }: InvitationsContext,
  source: InvitationSource,
  error: MarketplaceError,
): Promise<Instant | undefined> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const sync = await readInvitationSync(tx, team, source);
    const before = sync.trouble;
    const failures = before?.code === error.code ? before.failures : 0;
    const trouble = escalateFailure(before, error.code, at, retryAfter(error, failures));
    await notifyProfileFailure(tx, { ...sync, trouble }, at);
    return getProfileConcern(error.code) === 'account' ? trouble.retryAt : undefined;
  });
}
