/**
 * The port through which replicas pass on requests of Slack, and hints, to the one that serves the workspace.
 */
import type { IncomingMessage } from 'node:http';
import type { Instant } from '../../clock.ts';
import type { Acknowledgement, SignedRequest, SlackRequest } from './slack-request.ts';

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
