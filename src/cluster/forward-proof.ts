/** The headers of a forward, and the proof that its sender knows the replicas' secret. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE } from '../clock.ts';
import type { Secret } from '../secret.ts';

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

/** By the time that replicas share. */
const MOST_AGE_MS = MINUTE;
/** Slack gives up after 3 s; more is no request of ours. */
const MOST_WAITED_MS = MINUTE;

function proofOf(
  { kind, sentAt, waitedMs, contentType }: ForwardClaim,
  body: string,
  secret: Secret,
): Buffer {
  const claim = [kind, sentAt, waitedMs, contentType].join('\n');
  return createHmac('sha256', secret.reveal()).update(`${claim}\n${body}`).digest();
}

export function writeForwardHeaders(
  claim: ForwardClaim,
  body: string,
  secret: Secret,
): Readonly<Record<string, string>> {
  return {
    [KIND]: claim.kind,
    [SENT_AT]: String(claim.sentAt),
    [WAITED]: String(claim.waitedMs),
    [PROOF]: proofOf(claim, body, secret).toString('hex'),
    'content-type': claim.contentType,
  };
}

/** As Node gives them: lists of values for some. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type ReadForwardHeaders =
  | { readonly kind: 'claim'; readonly claim: ForwardClaim; readonly proof: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Recognizes what can't be a forward before its body is read. */
export function readForwardHeaders(headers: RawHeaders, now: Instant): ReadForwardHeaders {
  const { [KIND]: kind, [SENT_AT]: sentAt, [WAITED]: waited, [PROOF]: proof } = headers;
  const isWhole =
    (kind === 'http' || kind === 'socket' || kind === 'hint') &&
    isNumber(sentAt) &&
    isNumber(waited) &&
    typeof proof === 'string' &&
    /^[0-9a-f]{64}$/u.test(proof);
  if (!isWhole) return { kind: 'refused', why: "it isn't from a replica" };
  if (Math.abs(now - Number(sentAt)) > MOST_AGE_MS) return { kind: 'refused', why: "it's over a minute old" };
  const waitedMs = Math.min(Number(waited), MOST_WAITED_MS);
  const type = headers['content-type'];
  const contentType = typeof type === 'string' ? type : '';
  return { kind: 'claim', claim: { kind, sentAt: Number(sentAt), waitedMs, contentType }, proof };
}

/** Whether the sender knows the secret, and nothing was changed on the way. */
export function isProven(claim: ForwardClaim, body: string, proof: string, secret: Secret): boolean {
  return timingSafeEqual(proofOf(claim, body, secret), Buffer.from(proof, 'hex'));
}

function isNumber(text: string | string[] | undefined): text is string {
  return typeof text === 'string' && /^\d{1,15}$/u.test(text);
}
