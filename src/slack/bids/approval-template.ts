/** What an approval leaves to its setup's template, for Review: known at once, then as just read. */
import { isDeepStrictEqual } from 'node:util';
import type { KnownBlock, ModalView } from '@slack/types';
import type { ApprovalSubject } from '../../bidding/approval-request.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type { Services } from '../core/routes.ts';
import { contextBlock } from '../kit/block-builders.ts';
import { leavesLetterOpen } from './approval-blocks.ts';
import { type TemplatePreview, templateBlocks } from './bid-form-preview.ts';
import { readSetupTemplate } from './bid-show.ts';

/** The template of the setup, as last read; undefined if the bid leaves nothing to it, or none is known. */
export async function findApprovalTemplate(
  { setups }: Services,
  { bid, job }: ApprovalSubject,
): Promise<TemplatePreview | undefined> {
  if (bid?.request.coverLetter !== undefined && bid.request.bidAmount !== undefined) return undefined;
  const all = (await setups.readStoredSetups()).setups;
  const named = all.find(({ id }) => id === job.setup)?.template;
  const known = named && setups.findKnownTemplate(named.id);
  return named && { named, state: known && { kind: 'read', template: known } };
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

const UNKNOWN =
  ":information_source: Gigdesk couldn't find this setup's template, so its letter isn't shown. " +
  'Check it in the dashboard before you approve.';

/** What the marketplace may still fill in or change is said. Pure. */
export function approvalTemplateBlocks(
  subject: ApprovalSubject,
  template: TemplatePreview | undefined,
): readonly KnownBlock[] {
  if (!template || template.state?.kind === 'not-found')
    return leavesLetterOpen(subject) ? [contextBlock(UNKNOWN)] : [];
  const { bidAmount, coverLetter, answers = [] } = subject.bid?.request ?? {};
  const own = { amount: bidAmount !== undefined, letter: Boolean(coverLetter), answers: answers.length > 0 };
  const what = 'Fields that this bid leaves empty';
  const blocks = templateBlocks(template, subject.project?.budget, what, own);
  if (template.state?.kind !== 'read') return blocks;
  return [
    ...blocks,
    contextBlock('The template as last read. The marketplace uses it as it is when it bids.'),
  ];
}
