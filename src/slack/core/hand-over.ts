/** Hands one parsed request to the SDK, and writes Slack's answer into an HTTP response. */
import type { ServerResponse } from 'node:http';
import type { App, ReceiverEvent } from '@slack/bolt';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { keepUntilAnswered } from './http-server.ts';
import { type Acknowledgement, NOT_NOW, type SlackRequest, toAcknowledgement } from './slack-request.ts';

const FAILED: Acknowledgement = { status: 500, body: '' };

/** Decides where a request is handled. @returns undefined: here; otherwise the answer to Slack */
export type Admit = (request: SlackRequest) => Promise<Acknowledgement | undefined>;

export interface HandOverOptions {
  readonly app: Pick<App, 'processEvent'> | undefined;
  /** Missing: this process handles everything. */
  readonly admit?: Admit;
  readonly log: Log;
  /** Called for each request answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
}

function hasHungUp({ req: { socket } }: ServerResponse): boolean {
  return socket.destroyed;
}

export function writeAnswer(response: ServerResponse, { status, type, body }: Acknowledgement): void {
  response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body);
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
  try {
    answer = await admit?.({ ...request, signal: signalOfEnd(response) });
    if (!answer) await app?.processEvent({ body, ack, customProperties: { receivedAt } });
  } catch (thrown) {
    log.error('a Slack request failed', { error: asError(thrown) });
    answer = FAILED;
  }
  if (response.headersSent || hasHungUp(response)) return;
  const { status } = answer ?? NOT_NOW;
  if (status >= 400) onRefused?.(status);
  writeAnswer(response, answer ?? NOT_NOW);
}

/** Aborted once the response is written or Slack has hung up. */
function signalOfEnd(response: ServerResponse): AbortSignal {
  const ended = new AbortController();
  response.once('close', () => ended.abort(new Error('Slack closed the connection')));
  return ended.signal;
}
