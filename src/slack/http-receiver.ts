/**
 * Takes Slack's signed requests and hands them to Bolt. In place of the SDK's receiver, which parses a body before it looks at the
 * signature, believes that JSON is an object, and accepts what is dated in the future (decision 0004).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type App, isValidSlackRequest, type Receiver, type ReceiverEvent } from '@slack/bolt';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import { FORM, parseBody, readBody, type SlackBody } from './read-body.ts';

export interface HttpReceiverOptions {
  readonly signingSecret: Secret;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each request that was answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
}

/** Source: docs/slack-limits.md, "Times and rates". */
const MOST_SKEW_MS = 5 * MINUTE;
/** Assumed: it is a command's form with a token and little else. */
const LONGEST_CERTIFICATE_CHECK = 1_000;
/** Of what was left unacknowledged on purpose: Slack sends it again. */
const NOT_NOW = 503;

/** Bolt's check refuses what is too old but not what is dated in the future, by which a request could be kept and repeated. */
function isFromTheFuture(headers: IncomingHttpHeaders, clock: Clock): boolean {
  const seconds = Number(headers['x-slack-request-timestamp']);
  return Number.isFinite(seconds) && seconds * SECOND > clock.now() + MOST_SKEW_MS;
}

function isForm(headers: IncomingHttpHeaders): boolean {
  const [type] = (headers['content-type'] ?? '').split(';', 1);
  return type?.trim().toLowerCase() === FORM;
}

/** What an acknowledgement says in its body, as Bolt hands it over: nothing, a text, or JSON. */
function acknowledge(response: ServerResponse, answer: unknown): void {
  if (!answer) response.writeHead(200).end();
  else if (typeof answer === 'string') response.writeHead(200).end(answer);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function hasHungUp({ req: { socket } }: ServerResponse): boolean {
  return socket.destroyed;
}

export class HttpReceiver implements Receiver {
  readonly #options: HttpReceiverOptions;
  #app: Pick<App, 'processEvent'> | undefined;

  constructor(options: HttpReceiverOptions) {
    this.#options = options;
  }

  init(app: Pick<App, 'processEvent'>): void {
    this.#app = app;
  }

  /** The HTTP server is ours, and others' requests come to it, too. */
  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  /** Resolves when the SDK has done what it does. Whatever comes, it is answered; a body that breaks off needs no answer. Never throws. */
  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, log, onRefused } = this.#options;
    const receivedAt = clock.now();
    const refuse = (status: number, why: string) => {
      log.warn(`${why}: refused`);
      onRefused?.(status);
      response.writeHead(status).end();
    };
    if (isFromTheFuture(request.headers, clock))
      return refuse(401, 'a request of Slack is dated in the future (check the clock of this machine)');
    const bytes = await readBody(request);
    if (bytes === 'broken') return log.info('a request broke off');
    if (bytes === 'too-large') {
      // What is left of it would hold up whatever comes next on its connection.
      response.once('finish', () => request.destroy());
      return refuse(413, 'a request of Slack is too large');
    }
    const text = bytes.toString();
    if (!this.#isSigned(request.headers, text)) {
      if (mayCheckCertificate(text)) return acknowledge(response, undefined);
      return refuse(401, 'a request is not signed by Slack, or too old');
    }
    const body = parseBody(text, isForm(request.headers));
    if (body === undefined) return refuse(400, 'the body of a request holds no object');
    if (body['ssl_check'] === '1') return acknowledge(response, undefined);
    if (body['type'] === 'url_verification') return acknowledge(response, { challenge: body['challenge'] });
    await this.#handOver(body, receivedAt, response);
  }

  #isSigned(
    { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp }: IncomingHttpHeaders,
    body: string,
  ): boolean {
    if (typeof signature !== 'string' || typeof timestamp !== 'string') return false;
    return isValidSlackRequest({
      signingSecret: this.#options.signingSecret.reveal(),
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
    });
  }

  async #handOver(body: SlackBody, receivedAt: number, response: ServerResponse): Promise<void> {
    const ack: ReceiverEvent['ack'] = async (answer) => {
      // It waited for too long, and told the person so: what comes behind an acknowledgement must not be done.
      if (hasHungUp(response)) throw new Error('Slack has hung up');
      acknowledge(response, answer);
    };
    let status = NOT_NOW;
    try {
      await this.#app?.processEvent({ body, ack, customProperties: { receivedAt } });
    } catch (thrown) {
      this.#options.log.error('a request of Slack failed', { error: asError(thrown) });
      status = 500;
    }
    if (response.headersSent || hasHungUp(response)) return;
    this.#options.onRefused?.(status);
    response.writeHead(status).end();
  }
}

/** Slack does not sign its check of the certificate: it is answered, and nothing that it holds is looked at. */
function mayCheckCertificate(body: string): boolean {
  return body.length < LONGEST_CERTIFICATE_CHECK && new URLSearchParams(body).get('ssl_check') === '1';
}
