/** Answers what other replicas pass on: checks it, and handles it here or not at all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { type HandOverOptions, type HttpReceiver, handOver, writeAnswer } from './core/http-receiver.ts';
import { parseBody } from './core/read-body.ts';
import { FORWARD_ANSWER_HEADER, type Forwarding, type RefusedForward } from './core/slack-request.ts';
import type { HintRequests } from './hint-requests.ts';

interface ForwardedRequestsOptions extends HandOverOptions {
  /** Missing: there are no other replicas, so everything is refused. */
  readonly forwarding?: Forwarding;
  /** Missing in Socket Mode. */
  readonly http: HttpReceiver | undefined;
  readonly hints: Pick<HintRequests, 'handleForwarded'>;
  readonly clock: Clock;
}

const NO_SECRET: RefusedForward = { kind: 'refused', status: 403, why: 'REPLICA_SECRET is not set' };
const OTHER_MODE: RefusedForward = {
  kind: 'refused',
  status: 400,
  why: "it isn't a payload of the mode in which this replica connects to Slack",
};

/** Answers 421 if this process doesn't serve the workspace, and another 4xx to strangers. */
export function createForwardHandler(options: ForwardedRequestsOptions) {
  const { forwarding, http, hints, clock } = options;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = (await forwarding?.receive(request)) ?? NO_SECRET;
    if (read.kind === 'refused') return turnAway(options, response, read);
    const { request: sent, waitedMs } = read;
    const receivedAt = clock.now() - waitedMs;
    response.setHeader(FORWARD_ANSWER_HEADER, '1');
    if ('hint' in sent) return writeAnswer(response, await hints.handleForwarded(sent.hint));
    if ('text' in sent && http) return http.handleForwarded(sent, response, receivedAt);
    const body = 'json' in sent && !http ? parseBody(sent.json, false) : undefined;
    if (!body) return turnAway(options, response, OTHER_MODE);
    await handOver({ body, receivedAt, isForwarded: true }, response, options);
  };
}

/** Also closes the connection: the rest of the body is not read. */
function turnAway(
  { log, onRefused }: ForwardedRequestsOptions,
  response: ServerResponse,
  why: RefusedForward,
) {
  log.warn('refused a request from another replica', { why: why.why });
  onRefused?.(why.status);
  response.once('finish', () => response.req.destroy());
  response.writeHead(why.status, { connection: 'close' }).end();
}
