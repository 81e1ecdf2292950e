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

/** As it is now; it is read at most every five minutes. */
export async function readApprovalTemplate(
  services: Services,
  known: TemplatePreview,
): Promise<TemplatePreview> {
  const state = await readSetupTemplate(services, known.named);
  // An older answer says more than none.
  return known.state && state.kind === 'unreadable' ? known : { ...known, state };
}

/** Reads the template, and draws the open Review again if it says otherwise. */
export async function addApprovalTemplate(
  services: Services,
  viewId: string,
  template: TemplatePreview | undefined,
  draw: (template: TemplatePreview) => ModalView,
): Promise<void> {
  if (!template) return;
  const read = await readApprovalTemplate(services, template);
  if (!isDeepStrictEqual(read, template)) await updateViewIfOpen(services, viewId, draw(read));
}
