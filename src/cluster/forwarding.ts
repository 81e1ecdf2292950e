/**
 * Passes requests of Slack on to the replica that serves their workspace (decision 8). A forward is sent
 * once: without an answer, nobody knows whether it was handled. Its headers prove that its sender knows the
 * replicas' secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import { findConnectionFailure } from '../base/connection-failure.ts';
import { type Clock, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { type HttpExchangeResult, sendHttpRequest } from '../marketplace/http.ts';
import type { Secret } from '../secret.ts';
import { REPLICA_PATH } from '../slack/core/http-server.ts';
import { BodyMemoryLimit, type BodyReadFailure, MOST_BODY_BYTES, readBody } from '../slack/core/read-body.ts';
import {
  FORWARD_ANSWER_HEADER,
  type ForwardedHint,
  type Forwarding,
  type ForwardResult,
  type ReceivedForward,
  type RefusedForward,
  type SlackRequest,
} from '../slack/core/slack-request.ts';

export interface ForwardingOptions {
  /** What the replicas show each other. */
  readonly secret: Secret;
  readonly clock: Clock;
  /** The time that replicas share: forwards are dated by it. */
  readonly commonNow: () => Instant;
  readonly log: Log;
  /** An own connection pool when absent. `close` leaves this one open. */
  readonly dispatcher?: Dispatcher;
  /** Called for each forward. Must not throw. */
  readonly onForward?: (outcome: ForwardResult['kind']) => void;
}

/** A machine that is gone answers nothing at all. Until here, it's certain that nothing was sent. */
const CONNECTED_WITHIN_MS = SECOND;

const BODY_FAULTS: Readonly<Record<BodyReadFailure, RefusedForward>> = {
  'too-large': { kind: 'refused', status: 413, why: "it's too large" },
  'too-slow': { kind: 'refused', status: 408, why: 'it arrived too slowly' },
  displaced: { kind: 'refused', status: 429, why: 'there are too many unfinished requests' },
  broken: { kind: 'refused', status: 400, why: 'it was cut off' },
};

/** @returns also `close`, which cuts off what is under way */
export function createForwarding(options: ForwardingOptions): Forwarding & { close(): Promise<void> } {
  const { clock, log, dispatcher, onForward } = options;
  // To one replica; more requests wait for a free connection.
  const pool = dispatcher ?? new Agent({ connections: 100, pipelining: 1 });
  const room = new BodyMemoryLimit();
  return {
    async forward(url, request, withinMs) {
      if (!URL.canParse(url)) {
        log.error("another replica's REPLICA_URL isn't a URL");
        return { kind: 'not-done' };
      }
      const sent = describeForward(url, request, options);
      const connectMs = Math.min(CONNECTED_WITHIN_MS, withinMs);
      const timeouts = { connectMs, headersMs: withinMs, bodyMs: withinMs, wholeMs: withinMs };
      const signal = 'hint' in request ? undefined : request.signal;
      const result = readResult(await sendHttpRequest(pool, sent, timeouts, clock, signal), options);
      onForward?.(result.kind);
      return result;
    },
    receive: (request) => receiveForward(request, room, options),
    close: async () => {
      if (!dispatcher) await pool.destroy();
    },
  };
}

function describeForward(
  url: string,
  request: SlackRequest | ForwardedHint,
  { clock, commonNow, secret }: ForwardingOptions,
) {
  const isHint = 'hint' in request;
  const signed = isHint ? undefined : request.signed;
  const text = isHint ? request.hint : (signed?.text ?? JSON.stringify(request.body));
  const claim: ForwardClaim = {
    kind: isHint ? 'hint' : signed ? 'http' : 'socket',
    sentAt: commonNow(),
    waitedMs: Math.max(clock.now() - request.receivedAt, 0),
    contentType: signed?.contentType ?? 'application/json',
  };
  const slacks = signed && {
    'x-slack-signature': signed.signature,
    'x-slack-request-timestamp': signed.timestamp,
  };
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/u, '')}${REPLICA_PATH}`;
  const headers = { ...writeForwardHeaders(claim, text, secret), ...slacks };
  return { origin, path, method: 'POST', headers, body: text } as const;
}

function readResult(exchanged: HttpExchangeResult, { log }: ForwardingOptions): ForwardResult {
  if (exchanged.kind === 'fault') {
    const { fault } = exchanged;
    const cause = findConnectionFailure(exchanged.cause)?.code;
    log.warn('could not pass a request on to another replica', { fault, cause });
    return { kind: exchanged.written ? 'unknown' : 'not-done' };
  }
  const { status, headers, body } = exchanged;
  if (status >= 400 && status < 500) {
    if (status !== 421) log.error('another replica refused a request', { status });
    return { kind: 'not-done' };
  }
  if (headers[FORWARD_ANSWER_HEADER] === undefined) {
    log.error("a replica's address leads to another server", { status });
    return { kind: 'unknown' };
  }
  const type = headers['content-type'];
  const answer = { status, body: body.toString() };
  return { kind: 'acknowledged', acknowledgement: typeof type === 'string' ? { ...answer, type } : answer };
}

async function receiveForward(
  request: IncomingMessage,
  room: BodyMemoryLimit,
  { clock, commonNow, secret }: ForwardingOptions,
): Promise<ReceivedForward | RefusedForward> {
  const read = readForwardHeaders(request.headers, commonNow());
  if (read.kind === 'refused') return read;
  const bytes = await readBody(request, { mostBytes: MOST_BODY_BYTES, clock, room });
  if (typeof bytes === 'string') return BODY_FAULTS[bytes];
  const text = bytes.toString();
  const { claim, proof } = read;
  if (!timingSafeEqual(proofOf(claim, text, secret), Buffer.from(proof, 'hex')))
    return refuse('REPLICA_SECRET differs, or it was changed on the way');
  const { waitedMs, contentType } = claim;
  if (claim.kind === 'socket') return { kind: 'forward', request: { json: text }, waitedMs };
  if (claim.kind === 'hint') return { kind: 'forward', request: { hint: text }, waitedMs };
  const signature = readHeader(request.headers, 'x-slack-signature');
  const timestamp = readHeader(request.headers, 'x-slack-request-timestamp');
  return { kind: 'forward', request: { text, contentType, signature, timestamp }, waitedMs };
}

const refuse = (why: string): RefusedForward => ({ kind: 'refused', status: 401, why });

/** Empty if it's missing: no signature is. */
function readHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** What the headers say, and the proof covers together with the body. */
export interface ForwardClaim {
  /** `http`: what Slack signed; `socket`: the JSON of a payload from Socket Mode; `hint`: that of a hint. */
  readonly kind: 'http' | 'socket' | 'hint';
  readonly sentAt: Instant;
  /** Since Slack sent the request, in ms. */
  readonly waitedMs: number;
  readonly contentType: string;
}

const KIND = 'x-gigdesk-kind';
const SENT_AT = 'x-gigdesk-sent-at';
const WAITED = 'x-gigdesk-waited';
const PROOF = 'x-gigdesk-proof';

function proofOf(claimed: ForwardClaim, body: string, secret: Secret): Buffer {
  const claim = [claimed.kind, claimed.sentAt, claimed.waitedMs, claimed.contentType].join('\n');
  return createHmac('sha256', secret.reveal()).update(`${claim}\n${body}`).digest();
}

export function writeForwardHeaders(claim: ForwardClaim, body: string, secret: Secret) {
  return {
    [KIND]: claim.kind,
    [SENT_AT]: String(claim.sentAt),
    [WAITED]: String(claim.waitedMs),
    [PROOF]: proofOf(claim, body, secret).toString('hex'),
    'content-type': claim.contentType,
  };
}

/** Recognizes what can't be a forward before its body is read. @param now of the time that replicas share */
function readForwardHeaders(headers: IncomingHttpHeaders, now: Instant) {
  const { [KIND]: kind, [SENT_AT]: sentAt, [WAITED]: waited, [PROOF]: proof } = headers;
  const isWhole =
    (kind === 'http' || kind === 'socket' || kind === 'hint') &&
    isNumber(sentAt) &&
    isNumber(waited) &&
    typeof proof === 'string' &&
    /^[0-9a-f]{64}$/u.test(proof);
  if (!isWhole) return refuse("it isn't from a replica");
  if (Math.abs(now - Number(sentAt)) > MINUTE) return refuse("it's over a minute old");
  // Slack gives up after 3 s; more is no request of ours.
  const waitedMs = Math.min(Number(waited), MINUTE);
  const contentType = readHeader(headers, 'content-type');
  const claim: ForwardClaim = { kind, sentAt: Number(sentAt), waitedMs, contentType };
  return { kind: 'claim' as const, claim, proof };
}

function isNumber(text: string | string[] | undefined): text is string {
  return typeof text === 'string' && /^\d{1,15}$/u.test(text);
}
