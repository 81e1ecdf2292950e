/** Opens the bid modal from a card, a bid's message or `/gig bid`. */
import { type BidProjectInfo, openBidDraft } from '../../bidding/bid-drafts.ts';
import { findUnfinishedBidDraft, markDraftResumed } from '../../bidding/resume-bid-draft.ts';
import { choosePreselectedSetup } from '../../bidding/setup-warnings.ts';
import { findProjectCard, findSeenProject } from '../../feed/find-project.ts';
import type { SetupId, TeamId } from '../../ids.ts';
import type { SetupList } from '../../setups/setup-service.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import { CARD_GONE } from '../core/find-pressed-card.ts';
import type { ActionCall, ActionRoute, CommandCall } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { readBidFormFacts, type StoredBidFormFacts } from './bid-facts.ts';
import { matchRequestedSetup, openBidForm } from './bid-show.ts';
import { type CallOrigin, findPressedBidProject } from './bid-subject.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person' | 'triggerId'>;

export function toCallOrigin({ services, channel, person }: Omit<Opening, 'triggerId'>): CallOrigin {
  return { team: services.team, channel, user: person.user, now: services.clock.now() };
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
  const { store, clock, random, team } = services;
  const owner = { team, user: person.user };
  const setups = await services.setups.readStoredSetups();
  const { setup, note } = matchRequestedSetup(setups, wanted);
  const stored = await store.transact(async (tx): Promise<StoredBidFormFacts | undefined> => {
    const subject = await find(tx);
    if (!subject) return undefined;
    const at = clock.now();
    const typed = await findUnfinishedBidDraft(tx, owner, subject);
    const chosen = await withSetup(tx, team, { subject, setups, setup, wanted });
    const opened = await openBidDraft(tx, owner, chosen, { at, random });
    return readBidFormFacts(tx, await markDraftResumed(tx, opened, typed), at);
  });
  if (!stored) return false;
  await openBidForm({ services, owner }, triggerId, { stored, setups, note, wanted });
  return true;
}

/** Adds the named setup; without a name, the best match. An unknown name adds none. */
async function withSetup(
  tx: ReadTransaction,
  team: TeamId,
  {
    subject,
    setups: { setups },
    setup,
    wanted,
  }: {
    readonly subject: BidProjectInfo;
    readonly setups: SetupList;
    readonly setup: SetupId | undefined;
    readonly wanted: string | undefined;
  },
): Promise<BidProjectInfo> {
  if (setup !== undefined) return { ...subject, setup };
  if (wanted) return subject;
  const { channel, project } = subject;
  const seen = await findSeenProject(tx, team, { project });
  const card = await findProjectCard(tx, team, channel, { project });
  const suggested = choosePreselectedSetup(setups, card?.filters ?? [], seen?.filters ?? [])?.id;
  return suggested === undefined ? subject : { ...subject, suggested };
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
