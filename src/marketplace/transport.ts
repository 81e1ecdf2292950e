/** Sends API requests through the gate, with deadlines and retries, and parses responses as JSON. */
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { findConnectionFailure } from '../base/connection-failure.ts';
import { withTimeLimit } from '../base/time-limit.ts';
import { type Clock, type RandomSource, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import type { MarketplaceCallOptions } from './client.ts';
import { MarketplaceError } from './errors.ts';
import {
  hideToken,
  parseErrorResponse,
  redirectError,
  requestCanceledError,
  toTransportError,
  unreadableResponseError,
  withEarlierAttemptError,
  withEarlierEffect,
} from './failures.ts';
import type { PermittedRequestResult, RequestGate, RequestPermit } from './gate/gate.ts';
import {
  type ApiAddress,
  combineAbortSignals,
  type HttpExchangeResult,
  type HttpRequest,
  type HttpTimeouts,
  MAX_RESPONSE_BYTES,
  parseApiAddress,
  sendHttpRequest,
} from './http.ts';
import {
  decideRetryDelay,
  getLaneDeadlineMs,
  getLaneGateWaitLimitMs,
  isRetriedLane,
  parseRetryAfter,
} from './retry.ts';
import { isSendableToken } from './token.ts';
import { parseSafeJson } from './wire/envelope.ts';

const DEFAULT_HTTP_TIMEOUTS: HttpTimeouts = {
  connectMs: 5 * SECOND,
  headersMs: 15 * SECOND,
  bodyMs: 10 * SECOND,
  wholeMs: 30 * SECOND,
};

export interface TransportParts {
  /** With the version prefix; https, or http on loopback. */
  readonly baseUrl: string;
  readonly token: Secret;
  readonly gate: RequestGate;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Replaces the client's own connection pool. `close` leaves it open. */
  readonly dispatcher?: Dispatcher;
  readonly timeouts?: Partial<HttpTimeouts>;
  /** Called for each sent try: the path without its query, and `ok` or the error's code. Must not throw. */
  readonly onRequest?: (seen: { readonly path: string; readonly outcome: string }) => void;
  /** When it throws, the request isn't sent. */
  readonly beforeSending?: () => Promise<void>;
  /** Asked again once the connection is open. False: the request isn't sent. */
  readonly beforeWriting?: () => boolean;
  /** Called with each response's raw Date header. Must not throw. */
  readonly onDate?: (date: unknown) => void;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, with encoded parts. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** A repeat may cost again: like a POST, the request is retried only after a 429. */
  readonly once?: true;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  /** An earlier try got no response and may have taken effect too. */
  readonly repeated?: true;
}

export class HttpTransport {
  readonly #parts: TransportParts;
  readonly #address: ApiAddress;
  readonly #timeouts: HttpTimeouts;
  readonly #dispatcher: Dispatcher;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  /** @throws TypeError for an unsafe address, or a token that no header can carry. */
  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#address = parseApiAddress(parts.baseUrl);
    if (!isSendableToken(parts.token.reveal()))
      throw new TypeError("The marketplace token has characters that aren't allowed in a header");
    this.#timeouts = { ...DEFAULT_HTTP_TIMEOUTS, ...parts.timeouts };
    this.#dispatcher =
      parts.dispatcher ??
      new Agent({ connect: { timeout: this.#timeouts.connectMs + SECOND }, pipelining: 1 });
  }

  /** @throws MarketplaceError for anything but a 2xx with a JSON body. */
  async sendRequest(call: ApiRequest, options: MarketplaceCallOptions): Promise<ApiResponse> {
    const following = combineAbortSignals([options.signal, this.#closing.signal]);
    try {
      return await this.#sendUntilOver(call, options, following.signal);
    } finally {
      following.detach();
    }
  }

  async #sendUntilOver(
    call: ApiRequest,
    options: MarketplaceCallOptions,
    signal: AbortSignal,
  ): Promise<ApiResponse> {
    const { clock, log, random } = this.#parts;
    const begunAt = clock.monotonicNow();
    const deadlineMs = getLaneDeadlineMs(options.lane);
    const left = () => (deadlineMs === undefined ? undefined : begunAt + deadlineMs - clock.monotonicNow());
    let failures = 0;
    let refusals = 0;
    let firstTryAt: number | undefined;
    let last: MarketplaceError | undefined;
    let permit = options.permit;
    for (;;) {
      permit ??= await this.#enter(options, left(), signal, last);
      firstTryAt ??= clock.monotonicNow();
      const barred = await this.#findBar(signal);
      const tried = await this.#tryOnce(call, permit, options, left(), barred);
      permit = undefined;
      if (!(tried instanceof MarketplaceError))
        return last?.effect === 'unknown' ? { ...tried, repeated: true } : tried;
      last = withEarlierEffect(last, tried);
      if (last.code === 'rate-limited') refusals++;
      else failures++;
      const tries = {
        once: call.method === 'POST' || call.once === true,
        failures,
        refusals,
        elapsedMs: clock.monotonicNow() - firstTryAt,
        leftMs: left(),
      };
      const mayRetry = isRetriedLane(options.lane) && !signal.aborted;
      const pauseMs = mayRetry ? decideRetryDelay(last, tries, random) : undefined;
      const { code: cause, help } = findConnectionFailure(last) ?? {};
      const { code, details } = last;
      const seen = { method: call.method, path: call.path, lane: options.lane, code, cause, help };
      const again = pauseMs !== undefined;
      log.warn('Marketplace request failed', { ...seen, status: details.status, again });
      if (pauseMs === undefined) throw last;
      if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => Promise.reject(last));
    }
  }

  /** Waiting requests fail at once; sent ones may still get their response. */
  close(withinMs = 5 * SECOND): Promise<void> {
    this.#closed ??= this.#close(withinMs);
    return this.#closed;
  }

  async #close(withinMs: number): Promise<void> {
    this.#closing.abort(new Error('The marketplace client is closed'));
    if (this.#parts.dispatcher) return;
    const { clock } = this.#parts;
    if (withinMs > 0) await withTimeLimit(clock, withinMs, this.#dispatcher.close(), () => undefined);
    await this.#dispatcher.destroy();
  }

  async #enter(
    { lane }: MarketplaceCallOptions,
    leftMs: number | undefined,
    signal: AbortSignal,
    last: MarketplaceError | undefined,
  ): Promise<RequestPermit> {
    try {
      const timeoutMs = leftMs ?? getLaneGateWaitLimitMs(lane);
      const limits = { signal, timeoutMs: timeoutMs === undefined ? undefined : Math.max(timeoutMs, 0) };
      return await this.#parts.gate.acquirePermit(lane, limits);
    } catch (thrown) {
      throw withEarlierAttemptError(thrown, last);
    }
  }

  /** Why nothing may be sent anymore. */
  async #findBar(signal: AbortSignal): Promise<MarketplaceError | undefined> {
    try {
      await this.#parts.beforeSending?.();
      signal.throwIfAborted();
      return undefined;
    } catch (thrown) {
      return requestCanceledError(thrown);
    }
  }

  async #tryOnce(
    call: ApiRequest,
    permit: RequestPermit,
    options: MarketplaceCallOptions,
    leftMs: number | undefined,
    whyBarred: MarketplaceError | undefined,
  ): Promise<ApiResponse | MarketplaceError> {
    const isLate = leftMs !== undefined && leftMs <= 0;
    const late =
      isLate && new MarketplaceError('timeout', 'none', 'No time left for the marketplace request');
    const barred = whyBarred ?? late;
    if (barred) {
      permit.cancel();
      return barred;
    }
    const wholeMs = Math.min(this.#timeouts.wholeMs, leftMs ?? this.#timeouts.wholeMs);
    const exchanged = await sendHttpRequest(
      this.#dispatcher,
      this.#request(call),
      { ...this.#timeouts, wholeMs },
      this.#parts.clock,
      options.signal,
      this.#parts.beforeWriting,
    );
    const tried = this.#read(exchanged);
    const error = tried instanceof MarketplaceError ? tried : undefined;
    this.#parts.onRequest?.({ path: call.path, outcome: error?.code ?? 'ok' });
    permit.finish(error ? endOf(error) : { kind: 'done' });
    return tried;
  }

  #request(call: ApiRequest): HttpRequest {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) query.append(name, String(value));
    const search = query.size > 0 ? `?${query.toString()}` : '';
    const headers = {
      'x-api-token': this.#parts.token.reveal(),
      accept: 'application/json',
      'accept-encoding': 'identity',
    };
    const { origin, pathPrefix } = this.#address;
    const request = { origin, path: `${pathPrefix}${call.path}${search}`, method: call.method };
    if (call.body === undefined) return { ...request, headers };
    const withType = { ...headers, 'content-type': 'application/json' };
    return { ...request, headers: withType, body: JSON.stringify(call.body) };
  }

  #read(exchanged: HttpExchangeResult): ApiResponse | MarketplaceError {
    if (exchanged.kind === 'fault') return toTransportError(exchanged, this.#parts.token);
    const { status, headers, body } = exchanged;
    this.#parts.onDate?.(headers['date']);
    const plain = decompress(body, headers['content-encoding']);
    const parsed = plain && parseSafeJson(new TextDecoder().decode(plain));
    if (status >= 200 && status < 300) {
      if (parsed !== undefined) return { status, body: parsed };
      return unreadableResponseError(
        plain ? "The marketplace response isn't JSON" : "The marketplace response can't be decompressed",
        status,
      );
    }
    if (status < 400) return redirectError(status);
    const retryAfterMs = parseRetryAfter(headers['retry-after'], headers['date'], this.#parts.clock.now());
    const answer = { status, body: parsed, hideSecrets: hideToken(this.#parts.token) };
    return parseErrorResponse(retryAfterMs === undefined ? answer : { ...answer, retryAfterMs });
  }
}

/** `failed`: the server failed, or no response came. */
function endOf({ code, details }: MarketplaceError): PermittedRequestResult {
  if (code === 'rate-limited') return { kind: code, retryAfterMs: details.retryAfterMs };
  return { kind: (details.status ?? 500) >= 500 ? 'failed' : 'done' };
}

/** What arrived of a body that breaks off is read, too. */
const zlib = { maxOutputLength: MAX_RESPONSE_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { maxOutputLength: MAX_RESPONSE_BYTES, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, zlib),
  'x-gzip': (body) => gunzipSync(body, zlib),
  deflate: (body) => inflateSync(body, zlib),
  br: (body) => brotliDecompressSync(body, brotli),
  identity: (body) => body,
};

/**
 * @param encoding the Content-Encoding header
 * @returns undefined for another encoding, a damaged body, or one that would be larger than any response
 */
function decompress(body: Buffer, encoding: string | string[] | undefined): Buffer | undefined {
  const given = String(encoding ?? '').trim();
  const name = given.toLowerCase() || 'identity';
  try {
    return Object.hasOwn(DECODERS, name) ? DECODERS[name]?.(body) : undefined;
  } catch {
    return undefined;
  }
}
