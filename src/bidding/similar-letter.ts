/** A bid form's question about a letter that nearly repeats one sent to another client. Pure. */
import { createHash } from 'node:crypto';
import { formatDraftRevision } from './bid-drafts.ts';
import type { BidDraft } from './draft-records.ts';
import type { SimilarLetter } from './records.ts';

function hashLetter({ form }: Pick<BidDraft, 'form'>): string {
  return createHash('sha256').update(form.coverLetter).digest('hex').slice(0, 16);
}

/** What the form asks about the letter that it has now. */
export function findLetterQuestion(
  draft: Pick<BidDraft, 'form' | 'questionedLetter'>,
): SimilarLetter | undefined {
  const { questionedLetter: asked } = draft;
  return asked && asked.hash === hashLetter(draft) ? asked.similar : undefined;
}

/** What the submitted view asked about exactly this letter. @param mark of that view */
export function findConfirmedLetter(draft: BidDraft, mark: string): SimilarLetter | undefined {
  return mark === formatDraftRevision(draft) ? findLetterQuestion(draft) : undefined;
}

/** The draft once its form asks about its letter; views shown before don't ask. */
export function askAboutLetter(draft: BidDraft, similar: SimilarLetter): BidDraft {
  return {
    ...draft,
    questionedLetter: { hash: hashLetter(draft), similar },
    shown: draft.shown + 1,
  };
}
