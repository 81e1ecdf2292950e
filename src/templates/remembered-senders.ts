/** The list of senders, remembered for a while, so that no step of a modal waits for it twice. */
import { type Clock, type Instant, MINUTE } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { SendersAnswer } from './templates.ts';

const KEPT_MS = 5 * MINUTE;
/** Its path is documented by name only, so it may fail for good: a failure is remembered, but not for long. */
const FAILURE_KEPT_MS = MINUTE;

interface Parts {
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  readonly log: Log;
}

export class RememberedSenders {
  readonly #parts: Parts;
  #last: { readonly answer: SendersAnswer; readonly until: Instant } | undefined;
  #underWay: Promise<SendersAnswer> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is remembered; else asks once for all who wait. After a failure an older list still serves. */
  get(): Promise<SendersAnswer> {
    const now = this.#parts.clock.now();
    if (this.#last && now < this.#last.until) return Promise.resolve(this.#last.answer);
    this.#underWay ??= this.#ask().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #ask(): Promise<SendersAnswer> {
    const { marketplace, clock, log } = this.#parts;
    try {
      const senders = await marketplace.proposalSenders({ lane: 'person' });
      return this.#remember({ kind: 'known', senders, readAt: clock.now() }, KEPT_MS);
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError)) throw thrown;
      log.info("Couldn't read proposal senders", { error: thrown });
      const older = this.#last?.answer;
      const answer: SendersAnswer = older?.kind === 'known' ? older : { kind: 'unavailable', why: thrown };
      return this.#remember(answer, FAILURE_KEPT_MS);
    }
  }

  #remember(answer: SendersAnswer, keptMs: number): SendersAnswer {
    this.#last = { answer, until: this.#parts.clock.now() + keptMs };
    return answer;
  }
}
