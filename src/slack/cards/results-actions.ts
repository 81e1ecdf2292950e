import { parseProjectReference } from '../../marketplace/project-key.ts';
import { type CachedListing, findCachedListing } from '../../projects/lookup-cache.ts';
import { openBidModal, readBidProjectInfo, toCallOrigin } from '../bids/bids.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import {
  DETAILS_REQUEST_LABEL,
  NEXT_REQUEST_LABEL,
  PREVIOUS_REQUEST_LABEL,
  PROJECTS_REQUEST_LABEL,
} from '../core/slow-reply.ts';
import { resultProjectsValueCodec, resultsPageValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { codeText } from '../kit/query-error.ts';
import { insufficientCreditsText } from '../kit/words/insufficient-credits.ts';
import { lookUpAndDescribeProject } from './describe-project-lookup.ts';
import { renderResultsPage } from './results-command.ts';
import { resultProjectsMessage } from './results-message.ts';

const ASK_AGAIN: Message = {
  text: `This list is out of date. Use ${codeText('/gig results <filter>')} to get a new one.`,
};

async function showProjects(call: ActionCall): Promise<void> {
  const asked = resultProjectsValueCodec.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  const { services, channel, person } = call;
  const { result, page, turn } = asked;
  const outcome = await services.projects.buyResultProjects({ channel, user: person.user }, result, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(ASK_AGAIN);
    throw outcome.error;
  }
  if (outcome.kind !== 'found') return call.answer({ text: insufficientCreditsText(outcome) });
  const message = resultProjectsMessage({ ...outcome, result, page });
  await (turn ? call.replace(message) : call.answer(message));
}

async function turnPage(call: ActionCall): Promise<void> {
  const asked = resultsPageValueCodec.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  await call.replace(await renderResultsPage(call.services, asked.filter, asked.page));
}

/** The cached listing that a row's button names; the value can name nothing else. */
async function pressedListing({ services, value }: ActionCall): Promise<CachedListing | undefined> {
  const { store, team, clock } = services;
  return store.read((tx) => findCachedListing(tx, team, value, clock.now()));
}

async function bidOnRow(call: ActionCall): Promise<void> {
  const { services, value } = call;
  const isOpen = await openBidModal(call, async (tx) => {
    const listing = await findCachedListing(tx, services.team, value, services.clock.now());
    return listing && readBidProjectInfo(tx, toCallOrigin(call), { project: listing.key });
  });
  if (!isOpen) await call.answer(ASK_AGAIN);
}

async function showRow(call: ActionCall): Promise<void> {
  const listing = await pressedListing(call);
  if (!listing) return call.answer(ASK_AGAIN);
  const known = (foot: string) => projectDetailsMessage({ ...listing, description: '' }, foot);
  const reference = parseProjectReference(listing.url);
  if (!reference) return call.answer(known("Couldn't look up this project: its link has no `~ID`."));
  await call.answer(await lookUpAndDescribeProject(call, reference, listing.verdict));
}

/** Each button's value names its target page. */
export const resultActions: readonly ActionRoute[] = [
  { id: actionIds.resultProjects, needs: 'viewer', pendingLabel: PROJECTS_REQUEST_LABEL, run: showProjects },
  {
    id: actionIds.resultProjectsBack,
    needs: 'viewer',
    pendingLabel: PREVIOUS_REQUEST_LABEL,
    run: showProjects,
  },
  { id: actionIds.resultsPage, needs: 'viewer', pendingLabel: NEXT_REQUEST_LABEL, run: turnPage },
  { id: actionIds.resultsBack, needs: 'viewer', pendingLabel: PREVIOUS_REQUEST_LABEL, run: turnPage },
  { id: actionIds.resultBid, needs: 'bidder', run: bidOnRow },
  { id: actionIds.resultDetails, needs: 'viewer', pendingLabel: DETAILS_REQUEST_LABEL, run: showRow },
];
