/** Caches the list of senders for a while, so that no modal step waits for it twice. */
import { type Clock, type Instant, MINUTE } from '../clock.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { SendersResult } from './template-service.ts';

const KEPT_MS = 5 * MINUTE;
/** Only the path's name is documented, so it may fail permanently: failures are cached, too, but briefly. */
const FAILURE_KEPT_MS = MINUTE;

interface Parts {
  readonly marketplace: MarketplaceClient;
  readonly clock: Clock;
  readonly log: Log;
}

export class SenderCache {
  readonly #parts: Parts;
  #last: { readonly answer: SendersResult; readonly until: Instant } | undefined;
  #inFlight: Promise<SendersResult> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The cached list, or one shared request. After a failure an older list still serves. */
  getSenders(): Promise<SendersResult> {
    const now = this.#parts.clock.now();
    if (this.#last && now < this.#last.until) return Promise.resolve(this.#last.answer);
    this.#inFlight ??= this.#ask().finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #ask(): Promise<SendersResult> {
    const { marketplace, clock, log } = this.#parts;
    try {
      const senders = await marketplace.fetchProposalSenders({ lane: 'person' });
      return this.#remember({ kind: 'known', senders, readAt: clock.now() }, KEPT_MS);
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError)) throw thrown;
      log.info("Couldn't read proposal senders", { error: thrown });
      const older = this.#last?.answer;
      const answer: SendersResult = older?.kind === 'known' ? older : { kind: 'unavailable', why: thrown };
      return this.#remember(answer, FAILURE_KEPT_MS);
    }
  }

  #remember(answer: SendersResult, keptMs: number): SendersResult {
    this.#last = { answer, until: this.#parts.clock.now() + keptMs };
    return answer;
  }
}
