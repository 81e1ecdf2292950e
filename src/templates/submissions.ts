/**
 * Creates templates: stores a claim, sends one request, stores its answer. Never retries, since the API has
 * no idempotency key.
 */
import type { Instant } from '../clock.ts';
import { recordDecision, recordDecisionResult, type ShownFact } from '../decisions/decisions.ts';
import { Attempts } from '../effects/attempt.ts';
import { asError } from '../errors.ts';
import { type ChannelId, type DraftId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate, ProposalTemplateInput } from '../marketplace/schema.ts';
import type { Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { checkTemplateForm, type TemplateInputError } from './check-template.ts';
import {
  isTemplateDraftLocked,
  readTemplateDraft,
  type TemplateDraft,
  type TemplateDraftReference,
  type TemplateRejection,
  templateDrafts,
} from './records.ts';

export interface SubmitTemplateRequest extends TemplateDraftReference {
  /** The draft's `revision` on the screen with the pressed button. */
  readonly seen: number;
  /** The channel of the request, for the audit log. */
  readonly channel?: ChannelId;
}

export type SubmitTemplateResult =
  /** This call asked the marketplace; `draft.state` is the outcome: created, refused or unknown. */
  | { readonly kind: 'asked'; readonly draft: TemplateDraft }
  /** Nothing was sent: the draft is being sent, was created, or has changed since `seen`. */
  | { readonly kind: 'taken'; readonly draft: TemplateDraft }
  /** Nothing was sent: the form has mistakes. */
  | {
      readonly kind: 'mistakes';
      readonly draft: TemplateDraft;
      readonly mistakes: readonly TemplateInputError[];
    }
  | { readonly kind: 'gone' };

export type TemplateSubmissionParts = Pick<
  Workspace,
  'store' | 'marketplace' | 'clock' | 'log' | 'clockGuard'
>;

export type TemplateSubmissions = ReturnType<typeof createTemplateSubmissions>;

/** Sends drafts to the marketplace, each at most once, and stores the result. */
export function createTemplateSubmissions(parts: TemplateSubmissionParts) {
  const { store, marketplace, clock, log, clockGuard } = parts;
  const attempts = new Attempts<DraftId, TemplateDraft>({
    store,
    clock,
    retriesMs: [],
    onUnrecorded: (draft, error) =>
      log.error("Couldn't store the result of a proposal template", { draft, error }),
  });

  function askOnce({ draft: claimed, input }: ClaimedSubmission): Promise<TemplateDraft> {
    const { id: draft, user, attempt } = claimed;
    return attempts.askOnce<SubmissionAttemptResult, TemplateDraft>(draft, {
      ask: async () => {
        const template = await marketplace.createProposalTemplate(input, { lane: 'bid' });
        return { kind: 'created', template };
      },
      classify: (thrown) => {
        if (!(thrown instanceof MarketplaceError))
          log.error('Creating a proposal template failed because of an internal error', {
            error: asError(thrown),
          });
        return errorToSubmissionResult(thrown);
      },
      onAnswer: (answer) => {
        const template = answer.kind === 'created' ? answer.template.id : undefined;
        log.info('Proposal template submitted', { draft, user, attempt, outcome: answer.kind, template });
      },
      record: (tx, answer, at) => recordSubmissionResult(tx, claimed, answer, at),
      apply: (answer, at) => applySubmissionResult(claimed, answer, at),
    });
  }

  /** Retries answers that the disk refused. Never throws. */
  function retryUnsavedResults(): Promise<void> {
    return attempts.retryRecording();
  }

  /** The draft with an answer that isn't stored yet. */
  function applyUnsavedResult(draft: TemplateDraft): TemplateDraft {
    const unrecorded = attempts.findUnrecorded(draft.id);
    const isSame = unrecorded?.user === draft.user && unrecorded.attempt === draft.attempt;
    return isSame ? unrecorded : draft;
  }

  /**
   * Creates the template: stores the claim, sends one request, stores the answer. Sends at most one request
   * for each `seen` of a draft, and none after a template was created. Never resends automatically.
   * @throws StorageError when the claim could not be stored, or ClockOffError: nothing was sent then.
   */
  async function submitDraft(order: SubmitTemplateRequest): Promise<SubmitTemplateResult> {
    await clockGuard?.ensureClockCorrect();
    await retryUnsavedResults();
    return attempts.run(order.draft, async () => {
      const claim = await store.transact((tx) => claimSubmissionAttempt(tx, order, clock.now()));
      if (claim.kind === 'taken') return { kind: 'taken', draft: applyUnsavedResult(claim.draft) };
      if (claim.kind !== 'claimed') return claim;
      return { kind: 'asked', draft: await askOnce(claim) };
    });
  }

  /** Marks claims unknown that a previous process left without an answer. @returns how many */
  async function recoverUnansweredClaims(): Promise<number> {
    await retryUnsavedResults();
    const answer: SubmissionAttemptResult = { kind: 'unknown', refusal: { code: 'interrupted' } };
    const count = await attempts.settleAbandoned({
      collection: templateDrafts,
      index: 'sending',
      nameOf: ({ id }) => id,
      settle: (tx, draft, at) => recordSubmissionResult(tx, draft, answer, at),
    });
    if (count > 0) log.warn('No response for some proposal templates; their outcome is unknown', { count });
    return count;
  }

  return { submitDraft, recoverUnansweredClaims, retryUnsavedResults, applyUnsavedResult };
}

interface ClaimedSubmission {
  readonly kind: 'claimed';
  readonly draft: TemplateDraft;
  readonly input: ProposalTemplateInput;
}

/** Claims the next attempt, if the person saw the draft's current revision; writes its audit entry, too. */
export async function claimSubmissionAttempt(
  tx: Transaction,
  order: SubmitTemplateRequest,
  at: Instant,
): Promise<ClaimedSubmission | Exclude<SubmitTemplateResult, { kind: 'asked' }>> {
  const draft = await readTemplateDraft(tx, order);
  if (!draft) return { kind: 'gone' };
  if (isTemplateDraftLocked(draft) || draft.revision !== order.seen) return { kind: 'taken', draft };
  const checked = checkTemplateForm(draft.form);
  if (checked.kind === 'mistakes') return { ...checked, draft };
  const { input } = checked;
  const attempt = draft.attempt + 1;
  const { name, sender } = input;
  const act = { kind: 'template', name, organization: sender.organizationId, attempt } as const;
  const entry = { at, by: order.user, channel: order.channel, act };
  const audit = await recordDecision(tx, entry, { shown: listShown(input) });
  const { refusal: _, answeredAt: __, ...rest } = draft;
  const { sentAt = draft.updatedAt } = draft;
  const claimed: TemplateDraft = {
    ...rest,
    doubtSince: draft.doubtSince ?? (draft.state === 'unknown' ? sentAt : undefined),
    state: 'sending',
    attempt,
    revision: draft.revision + 1,
    sentAt: at,
    audit: [...audit],
    updatedAt: at,
  };
  await tx.put(templateDrafts, claimed);
  return { kind: 'claimed', draft: claimed, input };
}

type SubmissionAttemptResult =
  | { readonly kind: 'created'; readonly template: ProposalTemplate }
  | { readonly kind: 'refused' | 'unknown'; readonly refusal: TemplateRejection };

/** An internal error after the call counts as no answer: the request may have been sent. */
function errorToSubmissionResult(thrown: unknown): SubmissionAttemptResult {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown', refusal: { code: 'fault' } };
  const { code, effect, details } = thrown;
  const { serverMessage, fields, retryAfterMs } = details;
  const httpStatus = effect === 'unknown' ? details.status : undefined;
  const refusal = { code, serverMessage, fields: fields && { ...fields }, retryAfterMs, httpStatus };
  return { kind: effect === 'none' ? 'refused' : 'unknown', refusal };
}

/** The draft with the answer applied. */
export function applySubmissionResult(
  draft: TemplateDraft,
  answer: SubmissionAttemptResult,
  at: Instant,
): TemplateDraft {
  const { doubtSince: doubtBefore, ...before } = draft;
  const isUnknown = answer.kind === 'unknown';
  // A late answer ends the doubt about its own attempt, but not about earlier ones.
  const isOwn = draft.state === 'unknown' && doubtBefore === draft.sentAt;
  const settled = {
    ...before,
    doubtSince: isUnknown ? (doubtBefore ?? draft.sentAt ?? at) : isOwn ? undefined : doubtBefore,
    state: answer.kind,
    revision: draft.revision + 1,
    answeredAt: at,
    updatedAt: at,
  };
  if (answer.kind !== 'created') return { ...settled, refusal: answer.refusal };
  const { refusal: _, ...rest } = settled;
  const { id, name, visibility, sender, hourlyRate, fixedPrice } = answer.template;
  return { ...rest, template: { id, name, visibility, sender, hourlyRate, fixedPrice } };
}

/**
 * Stores the answer, unless the draft is already at another attempt. It also settles an attempt that was
 * marked unknown meanwhile.
 * @returns the draft as stored; undefined when it is gone
 */
async function recordSubmissionResult(
  tx: Transaction,
  claimed: TemplateDraft,
  answer: SubmissionAttemptResult,
  at: Instant,
): Promise<TemplateDraft | undefined> {
  await auditAnswer(tx, claimed, answer, at);
  const draft = await tx.get(templateDrafts, [claimed.user, claimed.id]);
  const waits = draft?.state === 'sending' || (draft?.state === 'unknown' && answer.kind !== 'unknown');
  if (!draft || !waits || draft.attempt !== claimed.attempt) return draft;
  const settled = applySubmissionResult(draft, answer, at);
  await tx.put(templateDrafts, settled);
  return settled;
}

function listShown(input: ProposalTemplateInput): readonly ShownFact[] {
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [{ name, text: typeof value === 'string' ? value : JSON.stringify(value) }],
  );
}

async function auditAnswer(
  tx: Transaction,
  { audit = [] }: TemplateDraft,
  answer: SubmissionAttemptResult,
  at: Instant,
): Promise<void> {
  if (audit.length === 0) return;
  if (answer.kind === 'created') {
    await recordDecisionResult(tx, audit, at, { kind: 'created', template: answer.template.id });
  } else {
    const { code, serverMessage, httpStatus } = answer.refusal;
    await recordDecisionResult(tx, audit, at, { kind: answer.kind, code, httpStatus, words: serverMessage });
  }
}
