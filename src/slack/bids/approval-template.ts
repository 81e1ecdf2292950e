/** What an approval leaves to its setup's template, for Review: known at once, then as just read. */
import { isDeepStrictEqual } from 'node:util';
import type { ModalView } from '@slack/types';
import type { ApprovalSubject } from '../../bidding/approval-request.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { Services } from '../core/routes.ts';
import type { TemplatePreview } from './bid-form-preview.ts';
import { readSetupTemplate } from './bid-show.ts';

/** The template of the setup, as last read; undefined if the bid leaves nothing to it, or none is known. */
export function findApprovalTemplate(
  { setups }: Services,
  { bid, template: named }: ApprovalSubject,
): TemplatePreview | undefined {
  if (bid?.request.coverLetter !== undefined && bid.request.bidAmount !== undefined) return undefined;
  if (!named || named === 'none') return undefined;
  const known = setups.findKnownTemplate(named.id);
  return { named, state: known && { kind: 'read', template: known } };
}

/** Reads the template, at most every five minutes, and draws the open Review again if it says otherwise. */
export async function addApprovalTemplate(
  services: Services,
  viewId: string,
  known: TemplatePreview | undefined,
  draw: (template: TemplatePreview) => ModalView,
): Promise<void> {
  if (!known) return;
  const state = await readSetupTemplate(services, known.named);
  // An older answer says more than none.
  if (isDeepStrictEqual(state, known.state) || (known.state && state.kind === 'unreadable')) return;
  await updateViewIfOpen(services, viewId, draw({ ...known, state }));
}
