/** The stored drafts of templates, which are also the claims of their submissions. */

import { z } from 'zod';
import { DAY } from '../clock.ts';
import { DraftId, TemplateId, UserId } from '../ids.ts';
import { ProposalTemplate } from '../marketplace/schema.ts';
import { collection, type ReadTransaction } from '../storage/store.ts';
import { TemplateForm } from './form.ts';
import { NotCarriedOverNote } from './prefill-form.ts';

const instant = z.number();

/** Texts that may need more than one input. */
export const MultiInputTextField = z.enum([
  'ai.instructions',
  'ai.clientQuestions',
  'ai.additionalContext',
  'letters.variantA',
  'letters.variantB',
  'answers.answer',
]);
export type MultiInputTextField = z.infer<typeof MultiInputTextField>;

/** How many inputs a long text gets; missing: as many as it needs. */
export const TextInputCounts = z.partialRecord(MultiInputTextField, z.number().int().min(1).max(8));
export type TextInputCounts = z.infer<typeof TextInputCounts>;

const TemplateOrigin = z.object({
  template: TemplateId,
  name: z.string().optional(),
  /** In the marketplace's word. */
  senderType: z.string().optional(),
  notes: z.array(NotCarriedOverNote),
});
export type TemplateOrigin = z.infer<typeof TemplateOrigin>;

/** Why nothing was created, or why the outcome is unknown; escape before showing it. */
const TemplateRejection = z.object({
  /** A MarketplaceErrorCode; `fault` is an internal error. */
  code: z.string(),
  serverMessage: z.string().optional(),
  /** Dot path -> message, without fields that changed since. */
  fields: z.record(z.string(), z.string()).optional(),
  retryAfterMs: z.number().optional(),
  /** For an unknown outcome: the HTTP status of the inconclusive answer. Missing: no answer. */
  httpStatus: z.number().optional(),
});
export type TemplateRejection = z.infer<typeof TemplateRejection>;

const CreatedTemplate = ProposalTemplate.pick({
  id: true,
  name: true,
  visibility: true,
  sender: true,
  hourlyRate: true,
  fixedPrice: true,
});
export type CreatedTemplate = z.infer<typeof CreatedTemplate>;

/** Only its owner finds it: the person is part of its key. */
export const TemplateDraft = z.object({
  user: UserId,
  id: DraftId,
  form: TemplateForm,
  room: TextInputCounts,
  from: TemplateOrigin.optional(),
  /**
   * open: being filled in · sending: the claim is stored, but no answer · refused: the marketplace said no,
   * or nothing was sent · unknown: no answer arrived, so the template may exist · created: done, never
   * changes again.
   */
  state: z.enum(['open', 'sending', 'refused', 'unknown', 'created']),
  /** How many requests were sent. */
  attempt: z.number().int().min(0),
  /** Counts every change. A press names the revision on the screen, so that no press is carried out twice. */
  revision: z.number().int().min(1),
  sentAt: instant.optional(),
  answeredAt: instant.optional(),
  /**
   * When the first unanswered attempt was sent: it may have created the template, whatever the results of
   * later ones.
   */
  doubtSince: instant.optional(),
  /** For the last attempt, if it was refused or its outcome is unknown. */
  refusal: TemplateRejection.optional(),
  template: CreatedTemplate.optional(),
  /** The audit entry of the last attempt. */
  audit: z.array(z.union([z.string(), z.number()])).optional(),
  createdAt: instant,
  updatedAt: instant,
});
export type TemplateDraft = z.infer<typeof TemplateDraft>;

/** Whether an unconfirmed template may exist: the last attempt, or an earlier one, got no answer. */
export function isCreationUncertain(draft: Pick<TemplateDraft, 'state' | 'doubtSince'>): boolean {
  const { state, doubtSince } = draft;
  return state === 'unknown' || (state === 'refused' && doubtSince !== undefined);
}

/** Since the last change. */
export const TEMPLATE_DRAFT_RETENTION_MS = 60 * DAY;

export const templateDrafts = collection({
  name: 'template-drafts',
  schema: TemplateDraft,
  key: (it) => [it.user, it.id],
  indexes: {
    /** [user, last change]: unfinished drafts. */
    byUser: (it) => (it.state === 'created' ? undefined : [it.user, it.updatedAt]),
    /** [sent at]: claims without a stored answer. */
    sending: (it) => (it.state === 'sending' ? [it.sentAt ?? it.updatedAt] : undefined),
    byAge: (it) => [it.updatedAt],
  },
  // A claim without an answer stays.
  keepFor: { ms: TEMPLATE_DRAFT_RETENTION_MS, keeps: ({ state }) => state === 'sending' },
});

/** A person's own draft: another person's draft ID finds nothing. */
export interface TemplateDraftReference {
  readonly user: UserId;
  readonly draft: DraftId;
}

export function readTemplateDraft(tx: ReadTransaction, { user, draft }: TemplateDraftReference) {
  return tx.get(templateDrafts, [user, draft]);
}

/** Whether the draft can't change anymore, or not right now. */
export function isTemplateDraftLocked({ state }: TemplateDraft): boolean {
  return state === 'sending' || state === 'created';
}
