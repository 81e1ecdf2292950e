/**
 * The Details button: opens the whole project in a window, from stored data, with its history here; and the
 * window's buttons.
 */

import type { Instant } from '../../clock.ts';
import type { CardData } from '../../feed/feed.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import { openBidModal, readBidProjectInfo, toCallOrigin } from '../bids/bids.ts';
import { CARD_GONE, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { type RequestContext } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import { projectNotFoundMessage } from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { claimCard, onCard, releaseCard } from './card-actions.ts';
import {
  type CardWindow,
  cardWindows,
  findWindowRefusal,
  readWindowCard,
  WINDOW_OUTDATED,
} from './card-window.ts';
import { detailsView } from './details-view.ts';
import { readProjectHistory } from './project-history.ts';
import { shareView } from './share-window.ts';

/**
 * Looks a project up for at most 1 credit of the call's channel.
 * @returns what it cost, or why nothing was bought; mrkdwn
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpForCost(
  { services, person, channel }: RequestContext,
  reference: ProjectReference,
  notFoundMessage: (askedAt?: Instant) => Message,
): Promise<string> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found') return chargedCreditsText(outcome);
  if (outcome.kind !== 'failed') return insufficientCreditsText(outcome);
  if (outcome.error.code !== 'not-found') throw outcome.error;
  return notFoundMessage(outcome.askedAt).text;
}

async function readFacts(call: ActionCall, window: CardWindow, card: CardData, cost?: string) {
  const reference = parseProjectReference(card.seen.project.url);
  const history = await readProjectHistory(call, window, reference);
  return { ...history, window, card, canLookUp: reference !== undefined, cost };
}

/**
 * Opens the project in a window, at once and free of charge.
 * @param call its channel is the card's, and the person may see it
 */
export async function openDetailsWindow(call: ActionCall, card: CardData): Promise<void> {
  const window = await cardWindows.save(call, { project: card.card.project });
  const facts = await readFacts(call, window, card);
  await call.services.slack.openView(call.triggerId, detailsView(facts));
}

export const detailsAction = onCard(actionIds.details, openDetailsWindow);

interface PressedDetails {
  readonly window: CardWindow;
  readonly card: CardData;
}

/** A button of the window: finds its card, and checks that the person may still see its channel. */
function detailsButton(
  route: Pick<ActionRoute, 'id' | 'needs' | 'pendingLabel'>,
  run: (call: ActionCall, pressed: PressedDetails) => Promise<void>,
): ActionRoute {
  return {
    ...route,
    findChannel: cardWindows.findChannel,
    async run(call) {
      const { services, person, view } = call;
      const window = view && (await cardWindows.find({ services, user: person.user, view }));
      const card = window && (await readWindowCard(call, window));
      if (!card) return call.answer({ text: WINDOW_OUTDATED });
      const refusal = await findWindowRefusal(call, window);
      if (refusal !== undefined) return call.answer({ text: refusal });
      await run(call, { window, card });
    },
  };
}

async function redraw(call: ActionCall, { window }: PressedDetails, cost?: string): Promise<void> {
  const { services, view } = call;
  const card = await readWindowCard(call, window);
  if (!card || !view) return;
  await updateViewIfOpen(services, view.id, detailsView(await readFacts(call, window, card, cost)));
}

async function bid(call: ActionCall, { window }: PressedDetails): Promise<void> {
  const { slack } = call.services;
  const onTop = { ...slack, openView: slack.pushView.bind(slack) };
  const pushing = { ...call, services: { ...call.services, slack: onTop } };
  const isOpen = await openBidModal(pushing, (tx) =>
    readBidProjectInfo(tx, toCallOrigin(call), { project: window.project }),
  );
  if (!isOpen) await call.answer(CARD_GONE);
}

function thenRedraw(act: typeof claimCard | typeof releaseCard) {
  return async (call: ActionCall, pressed: PressedDetails): Promise<void> => {
    await act(call, pressed.window);
    await redraw(call, pressed);
  };
}

/** For at most 1 credit of the card's channel. */
async function lookUp(call: ActionCall, pressed: PressedDetails): Promise<void> {
  const reference = parseProjectReference(pressed.card.seen.project.url);
  if (!reference) return call.answer(CARD_GONE);
  const { channel } = pressed.window;
  await redraw(call, pressed, await lookUpForCost({ ...call, channel }, reference, projectNotFoundMessage));
}

export const detailsButtons: readonly ActionRoute[] = [
  detailsButton({ id: actionIds.detailsBid, needs: 'bidder' }, bid),
  detailsButton({ id: actionIds.detailsClaim, needs: 'viewer' }, thenRedraw(claimCard)),
  detailsButton({ id: actionIds.detailsRelease, needs: 'viewer' }, thenRedraw(releaseCard)),
  detailsButton({ id: actionIds.detailsShare, needs: 'viewer' }, async (call, { window, card }) => {
    await call.services.slack.pushView(call.triggerId, shareView(window, card));
  }),
  detailsButton(
    { id: actionIds.detailsLookUp, needs: 'viewer', pendingLabel: DETAILS_REQUEST_LABEL },
    lookUp,
  ),
];
