/** A reopened bid form keeps its typed values and says so; the person can start over. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { parseProjectReference } from '../marketplace/project-key.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { isBlank } from '../typed/texts.ts';
import { type BidProjectInfo, type DraftOwner, findBidDraft, readBidDraft } from './bid-drafts.ts';
import { type BidDraft, bidDraftKey, bidDrafts, EMPTY_BID_FORM } from './records.ts';

/** Whether the draft differs from a new form. */
function isTyped({ form }: BidDraft): boolean {
  const { projectId, bidAmount, boostConnects, coverLetter, answers, when } = form;
  const texts = [projectId, bidAmount, boostConnects, coverLetter, ...answers];
  return when !== 'as-set-up' || texts.some((text) => !isBlank(text));
}

/** The person's unfinished draft for the project, if it has typed values. */
export async function findUnfinishedBidDraft(
  tx: ReadTransaction,
  owner: DraftOwner,
  subject: BidProjectInfo,
): Promise<BidDraft | undefined> {
  const found = await findBidDraft(tx, owner, subject);
  return found && isTyped(found) ? found : undefined;
}

/** @param opened the person's draft, just opened @param typed the draft before opening */
export async function markDraftResumed(
  tx: Transaction,
  opened: BidDraft,
  typed: BidDraft | undefined,
): Promise<BidDraft> {
  if (typed?.id !== opened.id) return opened;
  const draft = { ...opened, resumedFrom: typed.at };
  await tx.put(bidDrafts, bidDraftKey(draft.team, draft.user, draft.id), draft);
  return draft;
}

/** Discards typed values except the setup and the project's ID. Does nothing if the draft is gone. */
export async function resetBidDraft(tx: Transaction, owner: DraftOwner, id: string): Promise<void> {
  const before = await readBidDraft(tx, owner, id);
  if (!before) return;
  const { resumedFrom: _typedBefore, ...kept } = before;
  const { setup, marketplaceJobId } = before.form;
  const reference = parseProjectReference(before.url ?? '');
  const named = reference && ('ciphertext' in reference ? reference.ciphertext : reference.uid);
  const form = {
    ...EMPTY_BID_FORM,
    ...omitUndefined({ setup }),
    marketplaceJobId: named ?? marketplaceJobId,
  };
  const draft = { ...kept, form, parts: 1, afresh: (before.afresh ?? 0) + 1 };
  await tx.put(bidDrafts, bidDraftKey(owner.team, owner.user, before.id), draft);
}
