/**
 * The address for hints, opened from the settings window. It belongs to the workspace, not to a channel, so
 * the role everywhere decides. The secret is shown in a modal alone: never in a message, a log line or an
 * error.
 */
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { hintsModal } from './hints-modal.ts';

async function drawHints({ services, person }: ActionCall, note?: 'rotated' | 'outdated') {
  const { hints, feed } = services;
  const [filter] = await feed.listStoredFilters();
  const address = await hints.openAddress(person.user);
  const summary = await hints.readSummary();
  return hintsModal({ address, server: hints.server, summary, filter, ...(note ? { note } : {}) });
}

async function openHints(call: ActionCall): Promise<void> {
  await call.services.slack.pushView(call.triggerId, await drawHints(call));
}

async function rotateSecret(call: ActionCall): Promise<void> {
  const { services, person, value, view } = call;
  const wasRotated = await services.hints.rotateSecret(Number(value), person.user);
  const next = await drawHints(call, wasRotated ? 'rotated' : 'outdated');
  const isShown = view && (await updateViewIfOpen(services, view.id, next));
  if (!isShown && wasRotated)
    await call.answer({
      text: 'The secret for hints is rotated. The new address is in `/gig settings`, *Hints*.',
    });
}

export const hintsActions: readonly ActionRoute[] = [
  { id: actionIds.hints, needs: 'admin', run: openHints },
  { id: actionIds.hintsRotate, needs: 'admin', hasSideEffects: true, run: rotateSecret },
];
