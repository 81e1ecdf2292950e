/** A channel's unanswered invitations. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { TeamId } from '../ids.ts';
import { INVITATION_WATCH_MS } from '../invitations/decide-invitation.ts';
import { readInvitationCardData } from '../invitations/invitation-card-data.ts';
import { findInvitedProject } from '../invitations/project.ts';
import { type InvitationCard, invitationCards } from '../invitations/records.ts';
import type { ReadTransaction, Store } from '../storage/store.ts';
import type { DigestFacts } from './facts.ts';
import type { ChannelTimeRange } from './gather-posted-content.ts';
import { hasBidOnProject } from './is-bid-on.ts';
import { scanRecordsInPages } from './read-pages.ts';
import { ROWS_PER_THREAD_MESSAGE } from './split-digest.ts';

type Row = DigestFacts['invitations']['list'][number];

/** The rest is only counted. */
const MOST_LISTED = 2 * ROWS_PER_THREAD_MESSAGE;

/**
 * Statuses are not documented. Words that mean "answered" or "no longer open" count as answered; any other
 * status, or none, means that the invitation still needs an answer.
 */
const ANSWERED = /accept|declin|reject|withdr|expir|archiv|clos|cancel|hire|submitt|repli|answer/iu;

export function isInvitationAnswered(status: string | undefined): boolean {
  return ANSWERED.test(status ?? '') && !/\b(?:un|not|no)[\s_-]?/iu.test(status ?? '');
}

/** undefined: it needs no answer. */
async function readWaiting(tx: ReadTransaction, card: InvitationCard, now: number): Promise<Row | undefined> {
  const { team, channel, uid, claim } = card;
  if (claim || (card.invitedAt ?? card.foundAt) < now - INVITATION_WATCH_MS) return undefined;
  const view = await readInvitationCardData(tx, team, channel, uid);
  if (!view || isInvitationAnswered(view.invitation.status)) return undefined;
  const { title, invitedAt } = view.invitation;
  const invited = findInvitedProject(view.invitation);
  if (invited && (await hasBidOnProject(tx, team, invited.project))) return undefined;
  return { uid, title, ...omitUndefined({ profile: view.profileName, invitedAt }) };
}

export async function gatherInvitations(
  { store, team }: { readonly store: Store; readonly team: TeamId },
  { channel, to }: Pick<ChannelTimeRange, 'channel' | 'to'>,
): Promise<Omit<DigestFacts['invitations'], 'came'>> {
  const waiting: { readonly at: number; readonly row: Row }[] = [];
  await scanRecordsInPages(store, invitationCards, { prefix: [team, channel] }, async (tx, page) => {
    for (const card of page.filter(({ state }) => state === 'posted')) {
      const row = await readWaiting(tx, card, to);
      if (row) waiting.push({ at: card.invitedAt ?? card.foundAt, row });
    }
  });
  waiting.sort((a, b) => b.at - a.at);
  return { waiting: waiting.length, list: waiting.slice(0, MOST_LISTED).map(({ row }) => row) };
}
