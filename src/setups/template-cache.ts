/** Templates that were asked for a short while ago. */
import { type Instant, MINUTE } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';

const KEPT_MS = 5 * MINUTE;
/** One holds texts of up to 50,000 characters. */
const MOST_KEPT = 50;

interface Kept {
  readonly at: Instant;
  readonly answer: Promise<ProposalTemplate>;
}

/** Its path is documented by name only, so that there may be none: a definite no stands for as long as an answer. */
function isDefinite(thrown: unknown): boolean {
  return (
    thrown instanceof MarketplaceError && ['not-found', 'forbidden', 'bad-request'].includes(thrown.code)
  );
}

/** Asks for each template at most every five minutes, and once for all who wait for it. */
export class TemplateCache {
  readonly #ask: (id: TemplateId) => Promise<ProposalTemplate>;
  readonly #now: () => Instant;
  /** Oldest first. */
  readonly #kept = new Map<TemplateId, Kept>();

  constructor(ask: (id: TemplateId) => Promise<ProposalTemplate>, now: () => Instant) {
    this.#ask = ask;
    this.#now = now;
  }

  getTemplate(id: TemplateId): Promise<ProposalTemplate> {
    const now = this.#now();
    const kept = this.#kept.get(id);
    if (kept && Math.abs(now - kept.at) < KEPT_MS) return kept.answer;
    const answer = this.#ask(id);
    this.#keep(id, { at: now, answer });
    // An answer that failed for the moment is not kept; whoever waits for it is told.
    answer.catch((thrown: unknown) => {
      if (!isDefinite(thrown) && this.#kept.get(id)?.answer === answer) this.#kept.delete(id);
    });
    return answer;
  }

  #keep(id: TemplateId, kept: Kept): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    if (this.#kept.size <= MOST_KEPT) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
