/** HTTP mode: requests signed with the app's secret. Source: Slack's "Verifying requests", version v0. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { type Clock, MINUTE, SECOND } from '../../../clock.ts';
import type { JsonObject } from '../objects.ts';
import type { RequestForgery } from '../simulated-slack.ts';
import {
  type DeliveryResult,
  nonEmptyBody,
  type OutgoingAppRequest,
  UNDELIVERED_RESULT,
} from './sent-request.ts';

/** Bolt and Slack allow a difference of five minutes. */
const TOO_FAR_MS = 6 * MINUTE;

export interface SignedAppRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function formOf(fields: JsonObject): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return form.toString();
}

function bodyOf(outgoing: OutgoingAppRequest): { body: string; type: string } {
  const form = 'application/x-www-form-urlencoded';
  switch (outgoing.type) {
    case 'events_api':
      return { body: JSON.stringify(outgoing.payload), type: 'application/json' };
    case 'slash_commands':
      return { body: formOf(outgoing.payload), type: form };
    case 'interactive':
      return { body: formOf({ payload: JSON.stringify(outgoing.payload) }), type: form };
  }
}

/** The request as Slack would send it at `now`, or a forged one. */
export function signRequest(
  outgoing: OutgoingAppRequest,
  secret: string,
  now: number,
  forgery: RequestForgery | undefined,
): SignedAppRequest {
  const { body, type } = bodyOf(outgoing);
  const shift = { old: -TOO_FAR_MS, future: TOO_FAR_MS };
  const at = now + (forgery === 'old' || forgery === 'future' ? shift[forgery] : 0);
  const timestamp = String(Math.floor(at / SECOND));
  const key = forgery === 'wrong-signature' ? `${secret}?` : secret;
  const signature = `v0=${createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  const signed = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  const retry = {
    'x-slack-retry-num': String(outgoing.retryNum),
    'x-slack-retry-reason': outgoing.retryReason,
  };
  return {
    body,
    headers: {
      'content-type': forgery === 'charset' ? `${type}; charset=utf-8` : type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...(forgery === 'unsigned' ? {} : signed),
      ...(outgoing.retryNum > 0 ? retry : {}),
    },
  };
}

function parseAnswer(text: string): unknown {
  try {
    return nonEmptyBody(JSON.parse(text));
  } catch {
    return nonEmptyBody(text);
  }
}

export class SignedRequestSender {
  readonly #agent = new Agent({ keepAliveTimeout: SECOND });
  readonly #secret: string;
  readonly #clock: Clock;

  /** `clock` dates the requests: use the machine's if the app checks dates by it. */
  constructor(secret: string, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  async send(
    url: string,
    outgoing: OutgoingAppRequest,
    forgery: RequestForgery | undefined,
    giveUp: AbortSignal,
  ): Promise<DeliveryResult> {
    const { body, headers } = signRequest(outgoing, this.#secret, this.#clock.now(), forgery);
    try {
      const answer = await request(url, {
        method: 'POST',
        body,
        headers,
        signal: giveUp,
        dispatcher: this.#agent,
      });
      const text = await answer.body.text();
      const acked = answer.statusCode >= 200 && answer.statusCode < 300;
      return {
        acked,
        trouble: acked ? undefined : 'http_error',
        status: answer.statusCode,
        body: parseAnswer(text),
        noRetry: answer.headers['x-slack-no-retry'] === '1',
      };
    } catch {
      return giveUp.aborted ? { ...UNDELIVERED_RESULT, trouble: 'http_timeout' } : UNDELIVERED_RESULT;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
