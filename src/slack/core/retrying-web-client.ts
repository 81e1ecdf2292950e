/** A Web API client that repeats calls by the app's clock; the SDK's own retries use the machine's timers. */
import {
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { backoffMs } from '../../base/backoff.ts';
import { type Clock, SECOND } from '../../clock.ts';

const RETRIES = 2;
const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 10 * SECOND;

/** Slack didn't answer. A refusal or a 429 is an answer. */
function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof WebAPIRequestError || thrown instanceof WebAPIHTTPError;
}

/** Only for calls that may be repeated although Slack has done them: an answer can get lost. */
export class RetryingWebClient extends WebClient {
  readonly #clock: Clock;

  /** @param options with the SDK's own retries off */
  constructor(token: string, options: WebClientOptions, clock: Clock) {
    super(token, options);
    this.#clock = clock;
  }

  /** Every method of the Web API goes through it. */
  override async apiCall(...call: Parameters<WebClient['apiCall']>): Promise<WebAPICallResult> {
    for (let failures = 1; ; failures++) {
      try {
        return await super.apiCall(...call);
      } catch (thrown) {
        if (failures > RETRIES || !isUnanswered(thrown)) throw thrown;
      }
      await this.#clock.sleep(backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }
}
