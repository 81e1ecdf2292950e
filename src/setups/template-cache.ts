/** Caches recently requested templates. */
import { type Instant, MINUTE } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';

const KEPT_MS = 5 * MINUTE;
/** One template holds texts of up to 50,000 characters. */
const MOST_KEPT = 50;

interface Kept {
  readonly at: Instant;
  readonly answer: Promise<ProposalTemplate>;
}

/** The docs name the path only, so it may not exist. A definite error is cached as long as an answer. */
function isDefinite(thrown: unknown): boolean {
  return (
    thrown instanceof MarketplaceError && ['not-found', 'forbidden', 'bad-request'].includes(thrown.code)
  );
}

/** Requests each template at most every five minutes, and once for all waiting callers. */
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
    // A transient error isn't cached; waiting callers still get it.
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
