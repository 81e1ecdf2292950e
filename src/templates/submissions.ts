/**
 * Creates templates: stores a claim, sends one request, stores its answer. Never retries, since the API has
 * no idempotency key.
 */
import type { Clock } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { type Store, scanCollection, type Transaction } from '../storage/store.ts';
import {
  applySubmissionResult,
  claimSubmissionAttempt,
  errorToSubmissionResult,
  recordSubmissionResult,
  type SubmissionAttemptResult,
} from './attempts.ts';
import { type TemplateDraft, templateDrafts } from './records.ts';
import type { SubmitTemplateRequest, SubmitTemplateResult } from './template-service.ts';

export interface TemplateSubmissionParts {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: MarketplaceClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}

interface Unrecorded {
  /** Shown until the disk stores the answer. */
  readonly draft: TemplateDraft;
  readonly record: (tx: Transaction) => Promise<TemplateDraft | undefined>;
}

export class TemplateSubmissions {
  readonly #parts: TemplateSubmissionParts;
  /** Drafts that this process is submitting: their claims are not leftovers. */
  readonly #inFlight = new Map<string, number>();
  /** Answers that the disk hasn't stored yet, by draft. */
  readonly #unrecorded = new Map<string, Unrecorded>();

  constructor(parts: TemplateSubmissionParts) {
    this.#parts = parts;
  }

  /** @throws ClockOffError; nothing was sent then. */
  async submitDraft(order: SubmitTemplateRequest): Promise<SubmitTemplateResult> {
    const { team, store, clock, clockGuard } = this.#parts;
    await clockGuard?.ensureClockCorrect();
    await this.retryUnsavedResults();
    return this.#during(order.draft, async () => {
      const claim = await store.transact((tx) => claimSubmissionAttempt(tx, team, order, clock.now()));
      if (claim.kind === 'taken') return { kind: 'taken', draft: this.applyUnsavedResult(claim.draft) };
      if (claim.kind !== 'claimed') return claim;
      const answer = await this.#ask(claim.input);
      return { kind: 'asked', draft: await this.#record(claim.draft, answer) };
    });
  }

  /**
   * Sends exactly one request. The client repeats it only after a 429, which proves that nothing was done.
   */
  async #ask(input: ProposalTemplateInput): Promise<SubmissionAttemptResult> {
    const { marketplace, log } = this.#parts;
    try {
      return { kind: 'created', template: await marketplace.createProposalTemplate(input, { lane: 'bid' }) };
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError))
        log.error('Creating a proposal template failed because of an internal error', {
          error: asError(thrown),
        });
      return errorToSubmissionResult(thrown);
    }
  }

  /** Returns the answer even when the disk refuses it. */
  async #record(claimed: TemplateDraft, answer: SubmissionAttemptResult): Promise<TemplateDraft> {
    const { clock, log } = this.#parts;
    const at = clock.now();
    const { id: draft, user, attempt } = claimed;
    const template = answer.kind === 'created' ? { template: answer.template.id } : {};
    log.info('Proposal template submitted', { draft, user, attempt, outcome: answer.kind, ...template });
    const unrecorded: Unrecorded = {
      draft: applySubmissionResult(claimed, answer, at),
      record: (tx) => recordSubmissionResult(tx, claimed, answer, at),
    };
    this.#unrecorded.set(draft, unrecorded);
    return (await this.#tryToRecord(draft, unrecorded)) ?? unrecorded.draft;
  }

  async #tryToRecord(id: string, unrecorded: Unrecorded): Promise<TemplateDraft | undefined> {
    const { store, log } = this.#parts;
    try {
      const draft = await store.transact(unrecorded.record);
      this.#unrecorded.delete(id);
      return draft;
    } catch (thrown) {
      log.error("Couldn't store the result of a proposal template", {
        draft: id,
        error: asError(thrown),
      });
      return undefined;
    }
  }

  /** Retries answers that the disk refused. Never throws. */
  async retryUnsavedResults(): Promise<void> {
    for (const [id, unrecorded] of this.#unrecorded) await this.#tryToRecord(id, unrecorded);
  }

  /** The draft with an answer that isn't stored yet. */
  applyUnsavedResult(draft: TemplateDraft): TemplateDraft {
    const unrecorded = this.#unrecorded.get(draft.id)?.draft;
    const isSame = unrecorded?.user === draft.user && unrecorded.attempt === draft.attempt;
    return isSame ? unrecorded : draft;
  }

  /** Marks claims unknown that a previous process left without an answer. */
  async recoverUnansweredClaims(): Promise<number> {
    const { team, store, clock, log } = this.#parts;
    await this.retryUnsavedResults();
    const answer: SubmissionAttemptResult = { kind: 'unknown', refusal: { code: 'interrupted' } };
    const count = await store.transact(async (tx) => {
      const left: TemplateDraft[] = [];
      for await (const { value } of scanCollection(tx, templateDrafts, { index: 'sending', prefix: [team] }))
        if (!this.#isUnderWay(value)) left.push(value);
      for (const draft of left) await recordSubmissionResult(tx, draft, answer, clock.now());
      return left.length;
    });
    if (count > 0) log.warn('No response for some proposal templates; their outcome is unknown', { count });
    return count;
  }

  #isUnderWay({ id }: TemplateDraft): boolean {
    return this.#inFlight.has(id) || this.#unrecorded.has(id);
  }

  async #during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#inFlight.set(id, (this.#inFlight.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inFlight.get(id) ?? 1) - 1;
      if (left > 0) this.#inFlight.set(id, left);
      else this.#inFlight.delete(id);
    }
  }
}
