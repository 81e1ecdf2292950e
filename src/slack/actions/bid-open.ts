/** Opening the bid modal: from a card, from a bid's message, from `/gig bid`. */
import { type BidSubject, openDraft } from '../../bidding/drafts.ts';
import { suggestSetup } from '../../bidding/setup-notes.ts';
import type { SetupId, TeamId } from '../../ids.ts';
import type { SetupList } from '../../setups/setups.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import { actionIds } from '../blocks/ids.ts';
import { findCardOf, findSeenProject } from '../known-project.ts';
import type { ActionCall, ActionRoute, CommandCall } from '../routes.ts';
import { readFormFacts, type StoredFacts } from './bid-facts.ts';
import { findTyped, noteResumed } from './bid-resume.ts';
import { chooseWanted, openForm } from './bid-show.ts';
import { findSubject, type Spot } from './bid-subject.ts';
import { CARD_GONE } from './find-card.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person' | 'triggerId'>;

export function spotOf({ services, channel, person }: Omit<Opening, 'triggerId'>): Spot {
  return { team: services.team, channel, user: person.user, now: services.clock.now() };
}

/**
 * Opens the modal for what `find` knows, out of one transaction; the trigger lives 3 s, so nobody else is asked before.
 * @param wanted the setup in the person's words
 * @returns false when there is nothing to bid on
 */
export async function openBid(
  call: Opening,
  find: (tx: Transaction) => Promise<BidSubject | undefined>,
  wanted?: string,
): Promise<boolean> {
  const { services, person, triggerId } = call;
  const { store, clock, random, team } = services;
  const owner = { team, user: person.user };
  const setups = await services.setups.known();
  const { setup, note } = chooseWanted(setups, wanted);
  const stored = await store.transact(async (tx): Promise<StoredFacts | undefined> => {
    const subject = await find(tx);
    if (!subject) return undefined;
    const at = clock.now();
    const typed = await findTyped(tx, owner, subject);
    const chosen = await withSetup(tx, team, { subject, setups, setup, wanted });
    const opened = await openDraft(tx, owner, chosen, { at, random });
    return readFormFacts(tx, await noteResumed(tx, opened, typed), at);
  });
  if (!stored) return false;
  await openForm({ services, owner }, triggerId, { stored, setups, note, wanted });
  return true;
}

/** With the setup that the person named; else with the one that fits, unless they named one that is not there. */
async function withSetup(
  tx: ReadTransaction,
  team: TeamId,
  {
    subject,
    setups: { setups },
    setup,
    wanted,
  }: {
    readonly subject: BidSubject;
    readonly setups: SetupList;
    readonly setup: SetupId | undefined;
    readonly wanted: string | undefined;
  },
): Promise<BidSubject> {
  if (setup !== undefined) return { ...subject, setup };
  if (wanted) return subject;
  const { channel, project } = subject;
  const seen = await findSeenProject(tx, team, { project });
  const card = await findCardOf(tx, team, channel, { project });
  const suggested = suggestSetup(setups, card?.filters ?? [], seen?.filters ?? [])?.id;
  return suggested === undefined ? subject : { ...subject, suggested };
}

/** A message stands in Slack a moment before our record of it does; a trigger outlives these waits. */
const TRIES = 3;
const PAUSE_MS = 600;

/** Opens the modal for the message that was pressed, whatever button it was. */
export async function openBidOfMessage(call: ActionCall): Promise<void> {
  const ts = call.message?.ts;
  for (let tried = 1; tried <= TRIES; tried++) {
    if (tried > 1) await call.services.clock.sleep(PAUSE_MS);
    if (await openBid(call, (tx) => findSubject(tx, spotOf(call), ts, call.value))) return;
  }
  await call.answer(CARD_GONE);
}

export const bidOpen: ActionRoute = { id: actionIds.bid, needs: 'bidder', run: openBidOfMessage };
