/**
 * Receives Slack's signed requests and passes them to Bolt. Replaces the SDK's receiver, which parses a body
 * before checking its signature, assumes that JSON is an object, and accepts future timestamps (decision
 * 0004).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type App, isValidSlackRequest, type Receiver, type ReceiverEvent } from '@slack/bolt';
import { type Clock, type Instant, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { keepUntilAnswered } from './http-server.ts';
import {
  BodyMemoryLimit,
  type BodyReadFailure,
  FORM_CONTENT_TYPE,
  MOST_BODY_BYTES,
  parseBody,
  readBody,
} from './read-body.ts';
import {
  type Acknowledgement,
  NOT_NOW,
  type SignedRequest,
  type SlackRequest,
  toAcknowledgement,
} from './slack-request.ts';

export interface HandOverOptions {
  readonly app: Pick<App, 'processEvent'> | undefined;
  /**
   * Decides where a request is handled. Missing: this process handles everything.
   * @returns undefined: here; otherwise the answer to Slack
   */
  readonly admit?: (request: SlackRequest) => Promise<Acknowledgement | undefined>;
  readonly log: Log;
  /** Called for each request answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
}

function hasHungUp({ req: { socket } }: ServerResponse): boolean {
  return socket.destroyed;
}

export function writeAnswer(response: ServerResponse, { status, type, body }: Acknowledgement): void {
  response.writeHead(status, { ...(type && { 'content-type': type }) }).end(body);
}

/** Resolves when the SDK is done. Answers every request, unless Slack has hung up. Never throws. */
export async function handOver(
  request: Omit<SlackRequest, 'signal'>,
  response: ServerResponse,
  { app, admit, log, onRefused }: HandOverOptions,
): Promise<void> {
  const { body, receivedAt } = request;
  keepUntilAnswered(response);
  const ack: ReceiverEvent['ack'] = async (answer) => {
    // Slack gave up and showed an error, so the work after the acknowledgement must not run.
    if (hasHungUp(response)) throw new Error('Slack closed the connection');
    writeAnswer(response, toAcknowledgement(answer));
  };
  let answer: Acknowledgement | undefined;
  // Once the response is written or Slack has hung up.
  const ended = new AbortController();
  response.once('close', () => ended.abort(new Error('Slack closed the connection')));
  try {
    answer = await admit?.({ ...request, signal: ended.signal });
    if (!answer) await app?.processEvent({ body, ack, customProperties: { receivedAt } });
  } catch (thrown) {
    log.error('a Slack request failed', { error: asError(thrown) });
    answer = { status: 500, body: '' };
  }
  if (response.headersSent || hasHungUp(response)) return;
  const { status } = answer ?? NOT_NOW;
  if (status >= 400) onRefused?.(status);
  writeAnswer(response, answer ?? NOT_NOW);
}

export interface HttpReceiverOptions extends Omit<HandOverOptions, 'app'> {
  readonly signingSecret: Secret;
  readonly clock: Clock;
  /** A second clock: a request is recent if one of both says so. */
  readonly commonNow?: () => Instant;
}

/** Source: docs/slack-limits.md, "Times and rates". */
const MOST_SKEW_MS = 5 * MINUTE;

/** What the headers alone say about a request's origin. */
type Claim =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'signed'; readonly signature: string; readonly timestamp: string };

/** Pure. Recognizes requests that can't be from Slack before reading their bodies. */
function readClaim(headers: IncomingHttpHeaders, now: Instant): Claim {
  const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
  if (signature === undefined || timestamp === undefined) return { kind: 'unsigned' };
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return NOT_SLACKS;
  if (!/^v0=[0-9a-f]{64}$/.test(signature) || !/^\d{1,12}$/.test(timestamp)) return NOT_SLACKS;
  const ageMs = now - Number(timestamp) * SECOND;
  if (ageMs > MOST_SKEW_MS) return { kind: 'refused', why: "Slack's request is too old" };
  if (ageMs >= -MOST_SKEW_MS) return { kind: 'signed', signature, timestamp };
  return { kind: 'refused', why: "Slack's request is dated in the future (check this machine's clock)" };
}

const NOT_SIGNED = "request doesn't have a valid Slack signature";
const NOT_SLACKS: Claim = { kind: 'refused', why: NOT_SIGNED };

const FAULTS: Readonly<Record<Exclude<BodyReadFailure, 'broken'>, readonly [status: number, why: string]>> = {
  'too-large': [413, "Slack's request is too large"],
  'too-slow': [408, 'a request arrived too slowly'],
  displaced: [503, 'too many unfinished requests'],
};

function acknowledge(response: ServerResponse, answer?: unknown): void {
  writeAnswer(response, toAcknowledgement(answer));
}

export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  readonly #room = new BodyMemoryLimit();
  #app: Pick<App, 'processEvent'> | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
  }

  init(app: Pick<App, 'processEvent'>): void {
    this.#app = app;
  }

  /** We run the HTTP server ourselves, since it also answers other requests. */
  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  /** Resolves when the SDK is done. Answers every request, except bodies that break off. Never throws. */
  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, log } = this.#options;
    const receivedAt = clock.now();
    const claim = this.#readClaim(request.headers);
    if (claim.kind === 'refused') return this.#turnAway(response, 401, claim.why);
    if (claim.kind === 'unsigned') return this.#takeUnsigned(request, response);
    const bytes = await readBody(request, { mostBytes: MOST_BODY_BYTES, clock, room: this.#room });
    if (bytes === 'broken') return log.info('a request was cut off');
    if (typeof bytes === 'string') return this.#turnAway(response, ...FAULTS[bytes]);
    const { signature, timestamp } = claim;
    const contentType = request.headers['content-type'] ?? '';
    await this.#take({ text: bytes.toString(), contentType, signature, timestamp }, response, { receivedAt });
  }

  /**
   * Handles what another replica received and passed on; checks Slack's signature again.
   * @param receivedAt when the other replica received it, by this machine's clock
   */
  async handleForwarded(signed: SignedRequest, response: ServerResponse, receivedAt: Instant): Promise<void> {
    const { signature, timestamp } = signed;
    const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp };
    const claim = this.#readClaim(headers);
    if (claim.kind !== 'signed')
      return this.#turnAway(response, 401, claim.kind === 'refused' ? claim.why : NOT_SIGNED);
    await this.#take(signed, response, { receivedAt, isForwarded: true });
  }

  #readClaim(headers: IncomingHttpHeaders): Claim {
    const { clock, commonNow } = this.#options;
    const claim = readClaim(headers, clock.now());
    return claim.kind === 'refused' && commonNow ? readClaim(headers, commonNow()) : claim;
  }

  /** A request that claims to be signed. */
  async #take(
    signed: SignedRequest,
    response: ServerResponse,
    arrival: Pick<SlackRequest, 'receivedAt' | 'isForwarded'>,
  ): Promise<void> {
    if (!this.#isSigned(signed)) return this.#turnAway(response, 401, NOT_SIGNED);
    const [type] = signed.contentType.split(';', 1);
    const body = parseBody(signed.text, type?.trim().toLowerCase() === FORM_CONTENT_TYPE);
    if (body === undefined) {
      this.#count(400, "request body isn't an object");
      return void response.writeHead(400).end();
    }
    if (body['ssl_check'] === '1') return acknowledge(response);
    if (body['type'] === 'url_verification') return acknowledge(response, { challenge: body['challenge'] });
    await handOver({ body, signed, ...arrival }, response, { app: this.#app, ...this.#options });
  }

  /** Slack doesn't sign its certificate check: answers it and ignores all its other fields. */
  async #takeUnsigned(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, log } = this.#options;
    // Assumed: the check is a command's form with a token and little else.
    const bytes = await readBody(request, { mostBytes: 1_000, clock, room: this.#room });
    if (bytes === 'broken') return log.info('a request was cut off');
    if (typeof bytes === 'string' && bytes !== 'too-large') return this.#turnAway(response, ...FAULTS[bytes]);
    const isCheck = bytes !== 'too-large' && new URLSearchParams(bytes.toString()).get('ssl_check') === '1';
    if (isCheck) return acknowledge(response);
    this.#turnAway(response, 401, NOT_SIGNED);
  }

  #count(status: number, why: string): void {
    this.#options.log.warn(`${why}, rejected it`);
    this.#options.onRefused?.(status);
  }

  /** Also closes the connection: the rest of the body is not read, and the slot is free again. */
  #turnAway(response: ServerResponse, status: number, why: string): void {
    this.#count(status, why);
    response.once('finish', () => response.req.destroy());
    response.writeHead(status, { connection: 'close' }).end();
  }

  #isSigned({ text, signature, timestamp }: SignedRequest): boolean {
    const seconds = Number(timestamp);
    return isValidSlackRequest({
      signingSecret: this.#options.signingSecret.reveal(),
      body: text,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds },
      // Its age was already checked before reading the body.
      nowMilliseconds: seconds * SECOND,
    });
  }
}
