/** `/gig bid`, and opening the bid modal from a card or a bid's message. */
import { type BidProjectInfo, openBidDraft } from '../../bidding/bid-drafts.ts';
import { suggestSetup } from '../../bidding/suggest-setup.ts';
import { findSeenProject, readSeenProject } from '../../feed/find-project.ts';
import { ProjectKey } from '../../ids.ts';
import { parseProjectKey, parseProjectReference, projectReferenceId } from '../../marketplace/project-key.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import { CARD_GONE } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { invalidProjectReferenceMessage } from '../kit/project/project-lines.ts';
import { readBidFormFacts, type StoredBidFormFacts } from './bid-form-facts.ts';
import { matchRequestedSetup, openBidForm } from './bid-show.ts';
import {
  type CallOrigin,
  findPressedBidProject,
  type KnownProjectDetails,
  readBidProjectInfo,
} from './bid-subject.ts';

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
    const place = { channel: subject.channel };
    // Without a name, the one that fits best; an unknown name adds none.
    const suggested = wanted ? undefined : await suggestSetup(tx, place, subject, setups.setups);
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

/** Splits the project (Slack may put a link in angle brackets) from the setup. */
function readArgs(args: string): { readonly project: string; readonly setup: string } {
  const [, project = '', setup = ''] = /^(<[^>]*>|\S+)\s*([\s\S]*)$/u.exec(args) ?? [];
  return { project, setup: setup.trim() };
}

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
  return key.startsWith('~') ? { ...asked, project: key, marketplaceJobId: key } : { ...asked, project: key };
}

async function runBid(call: CommandCall): Promise<void> {
  const { project: words, setup } = readArgs(call.args);
  if (words === '')
    return call.answer(
      inputErrorMessage(
        'Which project? Paste its link, or the part of the link that starts with `~`.',
        EXAMPLE,
      ),
    );
  const asked = readProject(words);
  const isOpen =
    asked &&
    (await openBidModal(
      call,
      async (tx) => {
        const isKnown = asked.bearsId || (await readSeenProject(tx, asked.project));
        return isKnown ? readBidProjectInfo(tx, toCallOrigin(call), await asKnown(tx, asked)) : undefined;
      },
      setup,
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
