/** From a refusal of the server to our error. Pure; the words of the server are clipped and freed of secrets. */
import { MarketplaceError, type MarketplaceErrorCode, type MarketplaceErrorDetails } from './errors.ts';
import { readCreatedJob, readJobIdIn } from './wire-jobs.ts';
import { count, fieldsOf, instant, isObject, known, line, MOST } from './wire-values.ts';

export interface FailedAnswer {
  readonly status: number;
  /** The parsed body; undefined when it was no JSON. */
  readonly body: unknown;
  readonly retryAfterMs?: number;
  /** Takes secrets out of what the server wrote, in case that it echoes them. */
  readonly hideSecrets: (text: string) => string;
}

/**
 * The error for a status that is not a success. 4xx had no effect; after a 5xx nobody knows.
 * Source: docs/marketplace-api.md, Errors.
 */
export function readFailure(answer: FailedAnswer): MarketplaceError {
  const details = readDetails(answer);
  const code = codeOf(answer.status, details);
  const effect = answer.status >= 400 && answer.status < 500 ? 'none' : 'unknown';
  return new MarketplaceError(code, effect, `${MESSAGES[code]} (HTTP ${answer.status})`, details);
}

/** An auto bidding answer that says itself that it is no success, whatever its status: nothing was done. */
export function readRefusal(answer: FailedAnswer): MarketplaceError {
  return new MarketplaceError(
    'bad-request',
    'none',
    'The marketplace refused the auto bidding request',
    readDetails(answer),
  );
}

const MESSAGES: Readonly<Record<MarketplaceErrorCode, string>> = {
  'bad-request': 'The marketplace did not accept the request',
  unauthorised: 'The marketplace did not accept the API token',
  'subscription-inactive': "The team's subscription of the marketplace service is inactive",
  'credits-depleted': 'The project credits do not suffice',
  forbidden: 'The API token lacks permission for this request',
  'not-found': 'The marketplace does not know it',
  'rate-limited': 'The marketplace refused the request for its rate',
  server: 'The marketplace failed to answer',
  unreadable: 'The marketplace answered with an unexpected status',
  network: 'The marketplace could not be reached',
  timeout: 'The marketplace did not answer in time',
  'gate-timeout': 'No place at the request gate came free in time',
};

const CODES: Readonly<Record<number, MarketplaceErrorCode>> = {
  401: 'unauthorised',
  403: 'forbidden',
  404: 'not-found',
  429: 'rate-limited',
};

function codeOf(status: number, details: MarketplaceErrorDetails): MarketplaceErrorCode {
  if (status === 402) return isAboutCredits(details) ? 'credits-depleted' : 'subscription-inactive';
  const code = CODES[status];
  if (code) return code;
  if (status >= 500) return 'server';
  return status >= 400 ? 'bad-request' : 'unreadable';
}

/** 402 stands for two things; depleted credits come with numbers, and with `Insufficient credits` as their error. */
function isAboutCredits(details: MarketplaceErrorDetails): boolean {
  if (details.creditsNeeded !== undefined || details.creditsRemaining !== undefined) return true;
  return /\bcredits?\b/i.test(details.serverMessage ?? '');
}

function readDetails({ status, body, retryAfterMs, hideSecrets }: FailedAnswer): MarketplaceErrorDetails {
  const { fields, credits_needed, credits_remaining, credits_reset_date } = fieldsOf(body);
  return known({
    status,
    serverMessage: readServerMessage(body, hideSecrets),
    fields: readFields(fields, hideSecrets),
    creditsNeeded: count(credits_needed),
    creditsRemaining: count(credits_remaining),
    creditsResetAt: instant(credits_reset_date),
    retryAfterMs,
    jobId: readJobIdIn(body),
    job: readCreatedJob(body),
  });
}

/** An answer with `success` may have its reason in `error`, in `message`, or a part in each. */
function readServerMessage(body: unknown, hideSecrets: (text: string) => string): string | undefined {
  const { success, error, message } = fieldsOf(body);
  const [first, second] = [serverText(error, hideSecrets), serverText(message, hideSecrets)];
  const isBoth = success !== undefined && first && second && first !== second;
  return isBoth ? `${first}: ${second}` : (first ?? second);
}

function serverText(value: unknown, hideSecrets: (text: string) => string): string | undefined {
  const { message } = fieldsOf(value);
  const plain = isObject(value) ? message : value;
  return line(typeof plain === 'string' ? hideSecrets(plain) : plain, MOST.message);
}

function readFields(
  value: unknown,
  hideSecrets: (text: string) => string,
): Readonly<Record<string, string>> | undefined {
  const read = Object.entries(fieldsOf(value))
    .slice(0, 200)
    .flatMap(([path, message]) => {
      const words = Array.isArray(message) ? message.filter(isTold).join('; ') : message;
      const shown = serverText(words, hideSecrets);
      const name = line(hideSecrets(path));
      return shown && name ? [[name, shown] as const] : [];
    });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

/** A text can't be made of everything: of an object with a `toString` of its own, or of very deep lists, it fails. */
function isTold(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
