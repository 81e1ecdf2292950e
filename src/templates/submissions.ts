/**
 * Creating templates: a claim that is stored, one request, its answer on record. Nothing here is ever repeated by itself, since
 * the API has no key by which it would recognise a repeat.
 */
import type { Clock } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { type Store, scan, type Transaction } from '../storage/store.ts';
import { type Answer, claimAttempt, readFailedAttempt, recordAnswer, settle } from './attempts.ts';
import { type TemplateDraft, templateDrafts } from './records.ts';
import type { TemplateOrder, TemplateOutcome } from './templates.ts';

export interface SubmissionParts {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  readonly log: Log;
  /** Missing: the wall clock is believed. */
  readonly clockGuard?: ClockGuard;
}

interface Unrecorded {
  /** As it is shown until the disk takes it. */
  readonly draft: TemplateDraft;
  readonly record: (tx: Transaction) => Promise<TemplateDraft | undefined>;
}

export class Submissions {
  readonly #parts: SubmissionParts;
  /** Drafts that this very process works on: their claims are no leftovers. */
  readonly #underWay = new Map<string, number>();
  /** Answers that the disk did not take yet, by draft. */
  readonly #unrecorded = new Map<string, Unrecorded>();

  constructor(parts: SubmissionParts) {
    this.#parts = parts;
  }

  /** @throws ClockOffError; nothing was sent then. */
  async submit(order: TemplateOrder): Promise<TemplateOutcome> {
    const { team, store, clock, clockGuard } = this.#parts;
    await clockGuard?.ensureRight();
    await this.catchUp();
    return this.#during(order.draft, async () => {
      const claim = await store.transact((tx) => claimAttempt(tx, team, order, clock.now()));
      if (claim.kind === 'taken') return { kind: 'taken', draft: this.latest(claim.draft) };
      if (claim.kind !== 'claimed') return claim;
      const answer = await this.#ask(claim.input);
      return { kind: 'asked', draft: await this.#record(claim.draft, answer) };
    });
  }

  /** Asks exactly once. The client repeats it after a 429 alone, which proves that nothing was done. */
  async #ask(input: ProposalTemplateInput): Promise<Answer> {
    const { marketplace, log } = this.#parts;
    try {
      return { kind: 'created', template: await marketplace.createTemplate(input, { lane: 'bid' }) };
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError))
        log.error('Creating a proposal template failed because of an internal error', {
          error: asError(thrown),
        });
      return readFailedAttempt(thrown);
    }
  }

  /** Whoever pressed is told the answer even when the disk refuses it. */
  async #record(claimed: TemplateDraft, answer: Answer): Promise<TemplateDraft> {
    const { clock, log } = this.#parts;
    const at = clock.now();
    const { id: draft, user, attempt } = claimed;
    const template = answer.kind === 'created' ? { template: answer.template.id } : {};
    log.info('Proposal template submitted', { draft, user, attempt, outcome: answer.kind, ...template });
    const unrecorded: Unrecorded = {
      draft: settle(claimed, answer, at),
      record: (tx) => recordAnswer(tx, claimed, answer, at),
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

  /** Tries once more what the disk refused. Never throws. */
  async catchUp(): Promise<void> {
    for (const [id, unrecorded] of this.#unrecorded) await this.#tryToRecord(id, unrecorded);
  }

  /** The draft with an answer that is not on record yet. */
  latest(draft: TemplateDraft): TemplateDraft {
    const unrecorded = this.#unrecorded.get(draft.id)?.draft;
    const isSame = unrecorded?.user === draft.user && unrecorded.attempt === draft.attempt;
    return isSame ? unrecorded : draft;
  }

  /** Claims that nobody in this process works on had no answer when their process ended. */
  async recover(): Promise<number> {
    const { team, store, clock, log } = this.#parts;
    await this.catchUp();
    const answer: Answer = { kind: 'unknown', refusal: { code: 'interrupted' } };
    const count = await store.transact(async (tx) => {
      const left: TemplateDraft[] = [];
      for await (const { value } of scan(tx, templateDrafts, { index: 'sending', prefix: [team] }))
        if (!this.#isUnderWay(value)) left.push(value);
      for (const draft of left) await recordAnswer(tx, draft, answer, clock.now());
      return left.length;
    });
    if (count > 0) log.warn('No response for some proposal templates; their outcome is unknown', { count });
    return count;
  }

  #isUnderWay({ id }: TemplateDraft): boolean {
    return this.#underWay.has(id) || this.#unrecorded.has(id);
  }

  async #during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(id) ?? 1) - 1;
      if (left > 0) this.#underWay.set(id, left);
      else this.#underWay.delete(id);
    }
  }
}
