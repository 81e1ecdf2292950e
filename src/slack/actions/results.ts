import { readProjectReference } from '../../marketplace/project-key.ts';
import { findListing, type ListingFacts } from '../../projects/listings.ts';
import { actionIds } from '../blocks/ids.ts';
import { drawResults } from '../commands/results.ts';
import { codeText } from '../messages/mistake.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { projectInFull } from '../messages/project-in-full.ts';
import { resultProjectsMessage } from '../messages/results.ts';
import { resultProjectsValue, resultsPageValue } from '../messages/values.ts';
import {
  ASKED_BY_DETAILS,
  ASKED_BY_NEXT,
  ASKED_BY_PREVIOUS,
  ASKED_BY_PROJECTS,
} from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';
import { openBid, spotOf } from './bid-open.ts';
import { subjectOf } from './bid-subject.ts';
import { lookUpMessage } from './look-up-message.ts';

const ASK_AGAIN: Message = {
  text: `This list is out of date. Use ${codeText('/gig results <filter>')} to get a new one.`,
};

async function showProjects(call: ActionCall): Promise<void> {
  const asked = resultProjectsValue.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  const { services, channel, person } = call;
  const { result, page, turn } = asked;
  const outcome = await services.projects.resultProjects({ channel, user: person.user }, result, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(ASK_AGAIN);
    throw outcome.error;
  }
  if (outcome.kind !== 'found') return call.answer({ text: notBoughtText(outcome) });
  const message = resultProjectsMessage({ ...outcome, result, page });
  await (turn ? call.replace(message) : call.answer(message));
}

async function turnPage(call: ActionCall): Promise<void> {
  const asked = resultsPageValue.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  await call.replace(await drawResults(call.services, asked.filter, asked.page));
}

/** The listing that a row's button names, while it is remembered; the value alone can name nothing else. */
async function pressedListing({ services, value }: ActionCall): Promise<ListingFacts | undefined> {
  const { store, team, clock } = services;
  return store.read((tx) => findListing(tx, team, value, clock.now()));
}

async function bidOnRow(call: ActionCall): Promise<void> {
  const { services, value } = call;
  const isOpen = await openBid(call, async (tx) => {
    const listing = await findListing(tx, services.team, value, services.clock.now());
    return listing && subjectOf(tx, spotOf(call), { project: listing.key });
  });
  if (!isOpen) await call.answer(ASK_AGAIN);
}

async function showRow(call: ActionCall): Promise<void> {
  const listing = await pressedListing(call);
  if (!listing) return call.answer(ASK_AGAIN);
  const known = (foot: string) => projectInFull({ ...listing, description: '' }, foot);
  const reference = readProjectReference(listing.url);
  if (!reference) return call.answer(known("Couldn't look up this project: its link has no `~ID`."));
  await call.answer(await lookUpMessage(call, reference, listing.verdict));
}

/** Both directions carry the page that they lead to. */
export const resultActions: readonly ActionRoute[] = [
  { id: actionIds.resultProjects, needs: 'viewer', asked: ASKED_BY_PROJECTS, run: showProjects },
  { id: actionIds.resultProjectsBack, needs: 'viewer', asked: ASKED_BY_PREVIOUS, run: showProjects },
  { id: actionIds.resultsPage, needs: 'viewer', asked: ASKED_BY_NEXT, run: turnPage },
  { id: actionIds.resultsBack, needs: 'viewer', asked: ASKED_BY_PREVIOUS, run: turnPage },
  { id: actionIds.resultBid, needs: 'bidder', run: bidOnRow },
  { id: actionIds.resultDetails, needs: 'viewer', asked: ASKED_BY_DETAILS, run: showRow },
];
