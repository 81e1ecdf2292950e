/** Template drafts: typed values survive a closed modal, a rejection and a restart. */

import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../base/omit-undefined.ts';
import { DAY, type Instant, type RandomSource } from '../clock.ts';
import { DraftId, randomId, type TeamId, type UserId } from '../ids.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { EMPTY_TEMPLATE_FORM, type TemplateForm } from './form.ts';
import { dropErrorsOfChangedFields } from './locate-field-errors.ts';
import { prefillForm } from './prefill-form.ts';
import { type TemplateDraft, type TextInputCounts, templateDraftKey, templateDrafts } from './records.ts';

/** A person's own draft: another person's draft ID finds nothing. */
export interface TemplateDraftReference {
  readonly user: UserId;
  readonly draft: DraftId;
}

export type CreateDraftResult =
  | { readonly kind: 'created'; readonly draft: TemplateDraft }
  /** Nothing was stored: the person has `most` unfinished drafts; `drafts` lists them, newest first. */
  | { readonly kind: 'too-many'; readonly most: number; readonly drafts: readonly TemplateDraft[] };

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

/** Since the last change; older drafts are deleted. */
export const TEMPLATE_DRAFT_RETENTION_MS = 60 * DAY;
/** More than the one added, so that old drafts run out. */
const CLEARED_AT_ONCE = 5;
/** Per person, not counting created ones. */
export const MAX_OPEN_TEMPLATE_DRAFTS = 20;
/**
 * In UTF-16 units, all texts together: three times the largest valid template. Any template to start from
 * fits.
 */
export const MAX_TEMPLATE_FORM_LENGTH = 2_000_000;

export interface TemplateDraftOwner {
  readonly team: TeamId;
  readonly user: UserId;
}

/** A new draft, unless the person already has 20 unfinished ones. */
export async function createTemplateDraft(
  tx: Transaction,
  owner: TemplateDraftOwner,
  from: ProposalTemplate | undefined,
  { at, random }: { readonly at: Instant; readonly random: RandomSource },
): Promise<CreateDraftResult> {
  await deleteOldRecords(tx, templateDrafts, {
    index: 'byAge',
    prefix: [owner.team],
    at,
    keptMs: TEMPLATE_DRAFT_RETENTION_MS,
    limit: CLEARED_AT_ONCE,
    // A claim without an answer stays.
    keeps: ({ state }) => state === 'sending',
  });
  const drafts = await listTemplateDrafts(tx, owner, at);
  if (drafts.length >= MAX_OPEN_TEMPLATE_DRAFTS)
    return { kind: 'too-many', most: MAX_OPEN_TEMPLATE_DRAFTS, drafts };
  const draft: TemplateDraft = {
    team: owner.team,
    user: owner.user,
    id: DraftId.parse(randomId(random)),
    ...beginning(from),
    room: {},
    state: 'open',
    attempt: 0,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
  await tx.put(templateDrafts, templateDraftKey(draft), draft);
  return { kind: 'created', draft };
}

function beginning(from: ProposalTemplate | undefined): Pick<TemplateDraft, 'form' | 'from'> {
  if (!from) return { form: EMPTY_TEMPLATE_FORM };
  const { form, notes } = prefillForm(from);
  const origin = { template: from.id, name: from.name, senderType: from.sender.type, notes: [...notes] };
  return { form, from: omitUndefined(origin) };
}

/** Whether the person may have changed the form; where it began with a template, any save counts. */
export function isTemplateDraftTyped({ form, from, revision }: TemplateDraft): boolean {
  return revision > 1 && (from !== undefined || !isDeepStrictEqual(form, EMPTY_TEMPLATE_FORM));
}

/** Unfinished drafts that haven't expired, the last changed first. */
export async function listTemplateDrafts(
  tx: ReadTransaction,
  { team, user }: TemplateDraftOwner,
  at: Instant,
): Promise<readonly TemplateDraft[]> {
  const entries = await tx.list(templateDrafts, {
    index: 'byUser',
    prefix: [team, user],
    from: [at - TEMPLATE_DRAFT_RETENTION_MS],
    limit: MAX_OPEN_TEMPLATE_DRAFTS,
    reverse: true,
  });
  return entries.map(({ value }) => value);
}

export function readTemplateDraft(
  tx: ReadTransaction,
  team: TeamId,
  { user, draft }: TemplateDraftReference,
): Promise<TemplateDraft | undefined> {
  return tx.get(templateDrafts, templateDraftKey({ team, user, id: draft }));
}

/** Whether the draft can't change anymore, or not right now. */
export function isTemplateDraftLocked({ state }: TemplateDraft): boolean {
  return state === 'sending' || state === 'created';
}

function sizeOf(form: TemplateForm): number {
  const texts = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    return Object.values(value).reduce((sum: number, part: unknown) => sum + texts(part), 0);
  };
  return texts(form);
}

/** Saves the typed values; drops the marketplace's error for each changed field. */
export async function saveTemplateDraft(
  tx: Transaction,
  team: TeamId,
  order: SaveDraftRequest,
  at: Instant,
): Promise<SaveDraftResult> {
  const before = await readTemplateDraft(tx, team, order);
  if (!before) return { kind: 'gone' };
  if (isTemplateDraftLocked(before)) return { kind: 'closed', draft: before };
  if (order.seen !== undefined && order.seen !== before.revision) return { kind: 'stale', draft: before };
  const form = order.change?.(before.form) ?? before.form;
  if (sizeOf(form) > MAX_TEMPLATE_FORM_LENGTH) return { kind: 'too-large', draft: before };
  const draft: TemplateDraft = {
    ...before,
    ...refusalAfter(before, form),
    form,
    room: { ...before.room, ...order.room },
    revision: before.revision + 1,
    updatedAt: at,
  };
  await tx.put(templateDrafts, templateDraftKey(draft), draft);
  return { kind: 'saved', draft };
}

function refusalAfter({ refusal, form }: TemplateDraft, after: TemplateForm): Pick<TemplateDraft, 'refusal'> {
  if (!refusal?.fields) return {};
  return { refusal: { ...refusal, fields: dropErrorsOfChangedFields(form, after, refusal.fields) } };
}

export async function discardTemplateDraft(
  tx: Transaction,
  team: TeamId,
  name: TemplateDraftReference,
): Promise<DiscardDraftResult> {
  const draft = await readTemplateDraft(tx, team, name);
  if (!draft) return { kind: 'gone' };
  if (draft.state === 'sending') return { kind: 'closed', draft };
  await tx.delete(templateDrafts, templateDraftKey(draft));
  return { kind: 'discarded', draft };
}
