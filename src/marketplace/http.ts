/**
 * One HTTP exchange: the API's address, a request, and its response within time and size limits. The gate,
 * retries and JSON are elsewhere.
 */
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { isEncryptedOrLocal } from '../base/safe-url.ts';
import type { Clock } from '../clock.ts';

export interface ApiAddress {
  readonly origin: string;
  /** Without a trailing slash; empty at the root. */
  readonly pathPrefix: string;
}

/**
 * The address to which the token goes with every request. Accepts https, and plain http for loopback only, so
 * the token never crosses a network unencrypted.
 * @throws TypeError for anything else, and for an address with credentials, query or fragment.
 */
export function parseApiAddress(baseUrl: string): ApiAddress {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url) throw new TypeError("The marketplace address isn't a valid URL");
  if (!isEncryptedOrLocal(url))
    throw new TypeError('The marketplace address must start with https:// (http:// only for localhost)');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError("The marketplace address can't include a user, query, or fragment");
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}

export interface HttpTimeouts {
  /** Until the connection is open and the request can be written. */
  readonly connectMs: number;
  /** From then until the response starts. */
  readonly headersMs: number;
  /** Between two chunks of the response. */
  readonly bodyMs: number;
  /** For the whole exchange. */
  readonly wholeMs: number;
}

export interface HttpRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type HttpExchangeFailure = 'network' | 'timeout' | 'given-up' | 'too-large';

export type HttpExchangeResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: HttpHeaders;
      /** Complete for a success; for an error response, as much as arrived. */
      readonly body: Buffer;
    }
  | {
      readonly kind: 'fault';
      readonly fault: HttpExchangeFailure;
      /** Whether any of the request may have left: only then can it have taken effect. */
      readonly written: boolean;
      readonly cause?: unknown;
    };

/** A larger response is rejected while it streams in. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/**
 * Sends the request once. Redirects are responses like any other. Never rejects.
 * @param mayWrite asked once the connection is open. False: nothing is sent
 */
export function sendHttpRequest(
  dispatcher: Dispatcher,
  request: HttpRequest,
  timeouts: HttpTimeouts,
  clock: Clock,
  signal?: AbortSignal,
  mayWrite = () => true,
): Promise<HttpExchangeResult> {
  return new Promise((resolve) => {
    const run = new ExchangeRun(timeouts, clock, resolve, mayWrite);
    if (signal?.aborted) return run.stop('given-up', signal.reason);
    const giveUp = () => run.stop('given-up', signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    run.onSettled(() => signal?.removeEventListener('abort', giveUp));
    try {
      // Both undici timeouts are off: this run measures time itself, on the injected clock.
      dispatcher.dispatch({ ...request, body: request.body ?? null, headersTimeout: 0, bodyTimeout: 0 }, run);
    } catch (thrown) {
      run.stop('network', thrown);
    }
  });
}

class ExchangeRun implements Dispatcher.DispatchHandler {
  readonly #timeouts: HttpTimeouts;
  readonly #clock: Clock;
  readonly #resolve: (outcome: HttpExchangeResult) => void;
  readonly #mayWrite: () => boolean;
  readonly #afterwards: (() => void)[] = [];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { status: number; headers: HttpHeaders } | undefined;
  #settled = false;
  #callOffPhase: () => void;

  constructor(
    timeouts: HttpTimeouts,
    clock: Clock,
    resolve: (outcome: HttpExchangeResult) => void,
    mayWrite: () => boolean,
  ) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#resolve = resolve;
    this.#mayWrite = mayWrite;
    this.#callOffPhase = clock.runAfter(timeouts.connectMs, () => this.#tooSlow('connection'));
    this.#afterwards.push(clock.runAfter(timeouts.wholeMs, () => this.#tooSlow('complete response')));
  }

  onSettled(run: () => void): void {
    this.#afterwards.push(run);
  }

  /** Ends the exchange with a fault, unless it has ended, and aborts what is in flight. */
  stop(fault: HttpExchangeFailure, cause?: unknown): void {
    this.#settle({ kind: 'fault', fault, written: this.#controller !== undefined, cause });
    this.#cutOff();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#controller && !this.#mayWrite())
      this.stop('given-up', new Error('The request was no longer wanted once it was connected'));
    // A second start would send the request again without a slot at the gate.
    if (this.#settled || this.#controller)
      return controller.abort(new Error('The request was canceled before it was sent'));
    this.#controller = controller;
    this.#nextPhase(this.#timeouts.headersMs, 'headers');
  }

  onResponseStart(_controller: unknown, status: number, headers: HttpHeaders): void {
    if (this.#settled || status < 200) return;
    this.#head = { status, headers };
    this.#nextPhase(this.#timeouts.bodyMs, 'body');
    if (this.#isSuccess && Number(headers['content-length']) > MAX_RESPONSE_BYTES) this.stop('too-large');
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#isSuccess && this.#bytes > MAX_RESPONSE_BYTES) return this.stop('too-large');
    this.#chunks.push(chunk);
    this.#nextPhase(this.#timeouts.bodyMs, 'body');
    if (!this.#isSuccess && this.#bytes > 64 * 1024) {
      this.#answer();
      this.#cutOff();
    }
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: unknown, error: Error): void {
    // An error response counts as one even when its body breaks off.
    if (this.#head && !this.#isSuccess) this.#answer();
    else {
      const code = 'code' in error ? error.code : undefined;
      this.stop(code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'network', error);
    }
  }

  get #isSuccess(): boolean {
    return this.#head !== undefined && this.#head.status < 300;
  }

  #tooSlow(what: string): void {
    if (this.#head && !this.#isSuccess) {
      this.#answer();
      this.#cutOff();
    } else {
      const code = what === 'connection' ? 'CONNECT_TIMEOUT' : 'RESPONSE_TIMEOUT';
      this.stop('timeout', Object.assign(new Error(`Timed out: no ${what}`), { code }));
    }
  }

  #answer(): void {
    if (this.#head) this.#settle({ kind: 'answer', ...this.#head, body: Buffer.concat(this.#chunks) });
    else this.stop('network', new Error('The response ended before it started'));
  }

  #nextPhase(ms: number, what: string): void {
    this.#callOffPhase();
    this.#callOffPhase = this.#clock.runAfter(ms, () => this.#tooSlow(what));
  }

  #settle(outcome: HttpExchangeResult): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#callOffPhase();
    for (const run of this.#afterwards) run();
    this.#resolve(outcome);
  }

  #cutOff(): void {
    if (this.#controller && !this.#controller.aborted)
      this.#controller.abort(new Error("The rest of the response isn't needed"));
  }
}

/**
 * Aborts as soon as one of the signals does, with its reason. `AbortSignal.any` would leave a trace of each
 * call on a long-lived signal.
 */
export function combineAbortSignals(signals: readonly (AbortSignal | undefined)[]) {
  const control = new AbortController();
  const followed = signals.filter((signal) => signal !== undefined);
  const follow = () => control.abort(followed.find((signal) => signal.aborted)?.reason);
  if (followed.some((signal) => signal.aborted)) follow();
  for (const signal of followed) {
    // Each call in flight adds one listener and removes it at its end, so Node's leak warning would be wrong.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: control.signal,
    detach() {
      for (const signal of followed) signal.removeEventListener('abort', follow);
    },
  };
}
