/** Template drafts: typed values survive a closed modal, a rejection and a restart. */

import { isDeepEqual } from '../base/is-deep-equal.ts';
import { type RandomSource } from '../clock.ts';
import { DraftId, randomId, type UserId } from '../ids.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { EMPTY_TEMPLATE_FORM, type TemplateForm } from './form.ts';
import { dropErrorsOfChangedFields } from './locate-field-errors.ts';
import { prefillForm } from './prefill-form.ts';
import {
  isTemplateDraftLocked,
  readTemplateDraft,
  TEMPLATE_DRAFT_RETENTION_MS,
  type TemplateDraft,
  type TemplateDraftReference,
  type TextInputCounts,
  templateDrafts,
} from './records.ts';
import type { TemplateSubmissionParts, TemplateSubmissions } from './submissions.ts';

export type CreateDraftResult =
  | { readonly kind: 'created'; readonly draft: TemplateDraft }
  /** Nothing was stored: the person has all the unfinished drafts that are allowed, here newest first. */
  | { readonly kind: 'too-many'; readonly drafts: readonly TemplateDraft[] };

export interface SaveDraftRequest extends TemplateDraftReference {
  /**
   * Builds the new form from the stored one, so that a step keeps the other steps' values. Pure: it may run
   * twice. Missing: the form stays.
   */
  readonly change?: (form: TemplateForm) => TemplateForm;
  /** Merged into the stored input counts. */
  readonly room?: TextInputCounts;
  /** The revision on the screen, for changes that only fit it, such as removing the third answer. */
  readonly seen?: number;
}

export type SaveDraftResult =
  | { readonly kind: 'saved'; readonly draft: TemplateDraft }
  /** Nothing was stored: the draft is being sent, or was created. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  /** Nothing was stored: the draft has another revision than `seen`. */
  | { readonly kind: 'stale'; readonly draft: TemplateDraft }
  /** Nothing was stored: the texts are far longer than any template allows. */
  | { readonly kind: 'too-large'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

export type DiscardDraftResult =
  | { readonly kind: 'discarded'; readonly draft: TemplateDraft }
  /** Not while it is being sent. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

/** Per person, not counting created ones. */
export const MAX_OPEN_TEMPLATE_DRAFTS = 20;
/**
 * In UTF-16 units, all texts together: three times the largest valid template. Any template to start from
 * fits.
 */
export const MAX_TEMPLATE_FORM_LENGTH = 2_000_000;

interface DraftsContext extends Pick<TemplateSubmissionParts, 'store' | 'clock'> {
  readonly random: RandomSource;
}

/** Unfinished templates of each person, and their way to the marketplace. */
export function createTemplateDrafts(
  { store, clock, random }: DraftsContext,
  submissions: TemplateSubmissions,
) {
  /** Unfinished drafts that haven't expired, the last changed first. */
  async function listOpen(tx: ReadTransaction, user: UserId): Promise<readonly TemplateDraft[]> {
    const entries = await tx.list(templateDrafts, {
      index: 'byUser',
      prefix: [user],
      from: [clock.now() - TEMPLATE_DRAFT_RETENTION_MS],
      limit: MAX_OPEN_TEMPLATE_DRAFTS,
      reverse: true,
    });
    return entries.map(({ value }) => value);
  }

  return {
    /** A new draft, empty or from an existing template, unless the person already has 20 unfinished ones. */
    create(order: { readonly user: UserId; readonly from?: ProposalTemplate }): Promise<CreateDraftResult> {
      const { user, from } = order;
      return store.transact(async (tx) => {
        const at = clock.now();
        const drafts = await listOpen(tx, user);
        if (drafts.length >= MAX_OPEN_TEMPLATE_DRAFTS) return { kind: 'too-many', drafts };
        const draft: TemplateDraft = {
          user,
          id: DraftId.parse(randomId(random)),
          ...beginning(from),
          room: {},
          state: 'open',
          attempt: 0,
          revision: 1,
          createdAt: at,
          updatedAt: at,
        };
        await tx.put(templateDrafts, draft);
        return { kind: 'created', draft };
      });
    },

    /** Saves the typed values; drops the marketplace's error for each changed field. */
    async save(order: SaveDraftRequest): Promise<SaveDraftResult> {
      await submissions.retryUnsavedResults();
      return store.transact(async (tx) => {
        const before = await readTemplateDraft(tx, order);
        if (!before) return { kind: 'gone' };
        if (isTemplateDraftLocked(before)) return { kind: 'closed', draft: before };
        if (order.seen !== undefined && order.seen !== before.revision)
          return { kind: 'stale', draft: before };
        const form = order.change?.(before.form) ?? before.form;
        if (sizeOf(form) > MAX_TEMPLATE_FORM_LENGTH) return { kind: 'too-large', draft: before };
        const { refusal } = before;
        const draft: TemplateDraft = {
          ...before,
          ...(refusal?.fields && {
            refusal: { ...refusal, fields: dropErrorsOfChangedFields(before.form, form, refusal.fields) },
          }),
          form,
          room: { ...before.room, ...order.room },
          revision: before.revision + 1,
          updatedAt: clock.now(),
        };
        await tx.put(templateDrafts, draft);
        return { kind: 'saved', draft };
      });
    },

    /** Also finds a created draft: its `template` is the result. */
    async read(name: TemplateDraftReference): Promise<TemplateDraft | undefined> {
      await submissions.retryUnsavedResults();
      const draft = await store.read((tx) => readTemplateDraft(tx, name));
      return draft && submissions.applyUnsavedResult(draft);
    },

    /** Unfinished drafts, the last changed first; at most 20. */
    async list(user: UserId): Promise<readonly TemplateDraft[]> {
      await submissions.retryUnsavedResults();
      const drafts = await store.read((tx) => listOpen(tx, user));
      return drafts
        .map((draft) => submissions.applyUnsavedResult(draft))
        .filter(({ state }) => state !== 'created');
    },

    async discard(name: TemplateDraftReference): Promise<DiscardDraftResult> {
      await submissions.retryUnsavedResults();
      return store.transact(async (tx) => {
        const draft = await readTemplateDraft(tx, name);
        if (!draft) return { kind: 'gone' };
        if (draft.state === 'sending') return { kind: 'closed', draft };
        await tx.delete(templateDrafts, [draft.user, draft.id]);
        return { kind: 'discarded', draft };
      });
    },
  };
}

function beginning(from: ProposalTemplate | undefined): Pick<TemplateDraft, 'form' | 'from'> {
  if (!from) return { form: EMPTY_TEMPLATE_FORM };
  const { form, notes } = prefillForm(from);
  const origin = { template: from.id, name: from.name, senderType: from.sender.type, notes };
  return { form, from: origin };
}

/** Whether the person may have changed the form; where it began with a template, any save counts. */
export function isTemplateDraftTyped({ form, from, revision }: TemplateDraft): boolean {
  return revision > 1 && (from !== undefined || !isDeepEqual(form, EMPTY_TEMPLATE_FORM));
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + sizeOf(part), 0);
}
