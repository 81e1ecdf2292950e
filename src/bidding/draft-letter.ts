/** Puts a ready letter into a draft, and keeps the one that was there. */
import type { Transaction } from '../storage/store.ts';
import { isBlank } from '../typed/texts.ts';
import { changeDraft, type DraftOwner } from './bid-drafts.ts';
import type { BidDraft } from './draft-records.ts';

/** The draft with another letter, which gets inputs of its own: Slack keeps what is typed in old ones. */
function withLetter(draft: BidDraft, letter: string, replaced: string | undefined): BidDraft {
  const { form, insertedLetter } = draft;
  const revision = (insertedLetter?.revision ?? 0) + 1;
  return {
    ...draft,
    form: { ...form, coverLetter: letter },
    insertedLetter: { revision, letter, ...(replaced === undefined ? {} : { replaced }) },
  };
}

/**
 * Replaces the letter. The person's own letter is kept: also when several are tried one after the other.
 */
export function insertDraftLetter(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
  letter: string,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => {
    const { form, insertedLetter: before } = draft;
    const isUnchanged = before?.letter === form.coverLetter;
    const replaced = isUnchanged
      ? before?.replaced
      : isBlank(form.coverLetter)
        ? undefined
        : form.coverLetter;
    return withLetter(draft, letter, replaced);
  });
}

/** Exchanges the letter with the kept one, so that neither is lost. */
export function swapDraftLetter(
  tx: Transaction,
  owner: DraftOwner,
  id: string,
): Promise<BidDraft | undefined> {
  return changeDraft(tx, owner, id, (draft) => {
    const { form, insertedLetter } = draft;
    const kept = insertedLetter?.replaced;
    return kept === undefined ? draft : withLetter(draft, kept, form.coverLetter);
  });
}
