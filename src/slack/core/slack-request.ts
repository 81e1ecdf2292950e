/**
 * One request of Slack before any handler is chosen, the answer that Slack waits for, and the port through
 * which replicas pass on requests, and hints, to the one that serves the workspace.
 */
import type { IncomingMessage } from 'node:http';
import type { Instant } from '../../clock.ts';
import type { SlackBody } from './read-body.ts';

/** An HTTP request as Slack signed it. */
export interface SignedRequest {
  readonly text: string;
  readonly contentType: string;
  /** The value of `x-slack-signature`. */
  readonly signature: string;
  /** The value of `x-slack-request-timestamp`. */
  readonly timestamp: string;
}

export interface SlackRequest {
  readonly body: SlackBody;
  /** By this machine's clock, also if another replica received it first. */
  readonly receivedAt: Instant;
  /** Missing in Socket Mode. */
  readonly signed?: SignedRequest;
  /** Another replica has passed it on. */
  readonly isForwarded?: boolean;
  /** Aborted when Slack stops waiting. */
  readonly signal?: AbortSignal;
}

/** An HTTP answer. Only 2xx acknowledges. */
export interface Acknowledgement {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** @param answer what a handler says: nothing, text or JSON */
export function toAcknowledgement(answer: unknown): Acknowledgement {
  if (!answer) return { status: 200, body: '' };
  if (typeof answer === 'string') return { status: 200, body: answer };
  return { status: 200, type: 'application/json', body: JSON.stringify(answer) };
}

export const ACKNOWLEDGED = toAcknowledgement(undefined);

/** For what is left unacknowledged on purpose: Slack resends events. */
export const NOT_NOW: Acknowledgement = { status: 503, body: '' };

/** To another replica alone: it looks for the workspace's owner itself. */
export const NOT_HERE: Acknowledgement = { status: 421, body: '' };

/** Marks the answers of handlers, so that no other server's answer is taken for one. */
export const FORWARD_ANSWER_HEADER = 'x-gigdesk-answer';

export type ForwardResult =
  | { readonly kind: 'acknowledged'; readonly acknowledgement: Acknowledgement }
  /** The other replica has certainly done nothing. */
  | { readonly kind: 'not-done' }
  /** It may have acted on the request: sending it again could do something twice. */
  | { readonly kind: 'unknown' };

/** A hint of an outside tool. */
export interface ForwardedHint {
  /** JSON: the secret of the address, and the filters. */
  readonly hint: string;
  readonly receivedAt: Instant;
}

/** A forward whose sender knows the secret. */
export interface ReceivedForward {
  readonly kind: 'forward';
  /** The request as Slack signed it, the JSON of a Socket Mode payload, or that of a hint. */
  readonly request: SignedRequest | { readonly json: string } | Pick<ForwardedHint, 'hint'>;
  /** How long it has been under way since it was sent. */
  readonly waitedMs: number;
}

export interface RefusedForward {
  readonly kind: 'refused';
  /** 4xx */
  readonly status: number;
  /** For the log; says nothing of the content. */
  readonly why: string;
}

export interface Forwarding {
  /** Sends a request once. Never throws. @param withinMs until then the answer must be there */
  forward(url: string, request: SlackRequest | ForwardedHint, withinMs: number): Promise<ForwardResult>;
  /** Reads and checks what another replica sends. Never throws. */
  receive(request: IncomingMessage): Promise<ReceivedForward | RefusedForward>;
}
