/** One request of Slack before any handler is chosen, and the answer that Slack waits for. */
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
