/** What is kept of templates that people build: their drafts, which are also the claims of what is sent. */
import { z } from 'zod';
import { DraftId, TeamId, TemplateId, UserId } from '../ids.ts';
import { ProposalTemplate } from '../marketplace/schema.ts';
import type { Collection, Key } from '../storage/store.ts';
import { TemplateForm } from './form.ts';
import { CarryOverNote } from './prefill-form.ts';

const instant = z.number();

/** The texts that one input may be too small for. */
export const MultiInputTextField = z.enum([
  'ai.instructions',
  'ai.clientQuestions',
  'ai.additionalContext',
  'letters.variantA',
  'letters.variantB',
  'answers.answer',
]);
export type MultiInputTextField = z.infer<typeof MultiInputTextField>;

/** How many inputs a long text is given; missing: as many as it needs. */
export const TextInputCounts = z.partialRecord(MultiInputTextField, z.number().int().min(1).max(8));
export type TextInputCounts = z.infer<typeof TextInputCounts>;

/** The template that somebody started from. */
const TemplateOrigin = z.object({
  template: TemplateId,
  name: z.string().optional(),
  /** In the marketplace's word. */
  senderType: z.string().optional(),
  notes: z.array(CarryOverNote),
});
export type TemplateOrigin = z.infer<typeof TemplateOrigin>;

/** Why nothing was created, or why nobody knows; for people after escaping. */
const TemplateRejection = z.object({
  /** A MarketplaceErrorCode; `fault` is one of ours. */
  code: z.string(),
  serverMessage: z.string().optional(),
  /** Dot path -> message, without what was changed since. */
  fields: z.record(z.string(), z.string()).optional(),
  retryAfterMs: z.number().optional(),
  /** Where the outcome is unknown: the HTTP status of the answer that left it open. Missing: nothing came. */
  httpStatus: z.number().optional(),
});
export type TemplateRejection = z.infer<typeof TemplateRejection>;

/** What the marketplace says of a template that it made. */
const CreatedTemplate = ProposalTemplate.pick({
  id: true,
  name: true,
  visibility: true,
  sender: true,
  hourlyRate: true,
  fixedPrice: true,
});
export type CreatedTemplate = z.infer<typeof CreatedTemplate>;

/** Key: [team, user, id]: found by its own person alone. */
export const TemplateDraft = z.object({
  team: TeamId,
  user: UserId,
  id: DraftId,
  form: TemplateForm,
  room: TextInputCounts,
  from: TemplateOrigin.optional(),
  /**
   * open: being filled in · sending: the claim is stored, no answer is · refused: the marketplace said no, or nothing was
   * sent · unknown: no answer came, so it may have been created · created: done, nothing of it changes any more.
   */
  state: z.enum(['open', 'sending', 'refused', 'unknown', 'created']),
  /** Counts the requests that were sent. */
  attempt: z.number().int().min(0),
  /** Counts every change. A press names the one that was on the screen, so that none is carried out twice. */
  revision: z.number().int().min(1),
  sentAt: instant.optional(),
  answeredAt: instant.optional(),
  /** When the first attempt was sent that went without an answer: it may have made the template, whatever became of later ones. */
  doubtSince: instant.optional(),
  /** Of the last attempt, where it was refused or is unknown. */
  refusal: TemplateRejection.optional(),
  template: CreatedTemplate.optional(),
  /** The audit entry of the last attempt. */
  audit: z.array(z.union([z.string(), z.number()])).optional(),
  createdAt: instant,
  updatedAt: instant,
});
export type TemplateDraft = z.infer<typeof TemplateDraft>;

/** Whether a template may exist of which nothing is known: no answer came to the last attempt, or to one before it. */
export function isCreationUncertain({
  state,
  doubtSince,
}: Pick<TemplateDraft, 'state' | 'doubtSince'>): boolean {
  return state === 'unknown' || (state === 'refused' && doubtSince !== undefined);
}

export const templateDrafts: Collection<TemplateDraft> = {
  name: 'template-drafts',
  schema: TemplateDraft,
  indexes: {
    /** [team, user, last change]: those that are not done. */
    byUser: (it) => (it.state === 'created' ? undefined : [it.team, it.user, it.updatedAt]),
    /** [team, when]: claims without an answer on record. */
    sending: (it) => (it.state === 'sending' ? [it.team, it.sentAt ?? it.updatedAt] : undefined),
    /** [team, last change]: for clearing out the old. */
    byAge: (it) => [it.team, it.updatedAt],
  },
};

export function templateDraftKey({ team, user, id }: Pick<TemplateDraft, 'team' | 'user' | 'id'>): Key {
  return [team, user, id];
}
