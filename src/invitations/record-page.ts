/** Puts a page of invitations on record, and tells of what is new or has changed, in one transaction. */
import { DAY, type Instant } from '../clock.ts';
import { isDeepEqual } from '../feed/merge-project.ts';
import { InvitationUid, type TeamId } from '../ids.ts';
import type { Invitation } from '../marketplace/schema.ts';
import type { ProfileFeed } from '../profiles/records.ts';
import type { Transaction } from '../storage/store.ts';
import { decideInvitationState, getInvitedTime, isTooOldForFeed } from './decide-invitation.ts';
import { enqueueInvitationCard, updateInvitationCards } from './invitation-posts.ts';
import { mergeInvitation, toInvitationRecord } from './merge-invitation.ts';
import {
  type InvitationCard,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationRecords,
} from './records.ts';

export interface InvitationReadContext {
  readonly team: TeamId;
  /** IANA name; holds where a channel has none. */
  readonly timezone: string;
  readonly now: Instant;
  /** When the last reading of the source began that came to its end; undefined: there was none. */
  readonly readAt: Instant | undefined;
  /** When the reading began; what it finds is known from then on. */
  readonly askedAt: Instant;
  /** Of the source, in channels that are not paused. */
  readonly feeds: readonly ProfileFeed[];
}

/** Without a date only our own record keeps an invitation from being told again, so that one stays while it is sent. */
const UNDATED_KEPT_MS = 30 * DAY;

/** Whether a former reading, which came to its end, knew the card. */
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

/** @returns whether the feed has nothing to learn from what is older than this */
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
  // The past of one feed may be new to another of the same channel.
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
 * Decides each invitation of a page for every feed. What was decided is never decided again, so that a page may be read as
 * often as it likes.
 * @returns whether every feed knows all that is older than this page
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

/** Whether the page reaches to what changes no more. */
export function isPageTooOld(items: readonly Invitation[], now: Instant): boolean {
  return items.some((each) => isTooOldForFeed(getInvitedTime(each), { startsAt: 0 }, now));
}
