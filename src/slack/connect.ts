/**
 * Connects Gigdesk to Slack through Socket Mode or signed HTTP requests, guarding the SDK's traps (decision
 * 0004).
 */
import {
  App,
  type Receiver,
  SocketModeReceiver,
  type ViewClosedAction,
  type ViewSubmitAction,
} from '@slack/bolt';
import { type Clock, type RandomSource, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import {
  type BotIdentity,
  type ClientOptions,
  createSdkLog,
  createWebClientOptions,
} from './core/clients.ts';
import { HttpReceiver } from './core/http-receiver.ts';
import { type HttpRoutes, type RunningServer, startHttpServer } from './core/http-server.ts';
import type { SlackDispatcher } from './core/slack-dispatcher.ts';
import { maintainSocketConnection, type SocketConnection } from './core/socket.ts';

interface ConnectOptions extends ClientOptions {
  readonly receive:
    | { readonly mode: 'socket'; readonly appToken: Secret }
    | { readonly mode: 'http'; readonly signingSecret: Secret };
  readonly http: { readonly host: string; readonly port: number };
  /** In addition to `/healthz`: `/readyz` and `/metrics`. */
  readonly routes?: HttpRoutes;
  /** Called for each Slack request answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
  readonly identity: BotIdentity;
  readonly boundary: SlackDispatcher;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Stops waiting for the first connection. */
  readonly signal?: AbortSignal;
}

export interface SlackApp {
  /** The HTTP server's port. */
  readonly port: number;
  /** Whether Slack's requests can reach us, as far as we know. */
  readonly isConnected: boolean;
  /** Accepts no new requests, lets running handlers finish until the deadline, then closes everything. */
  stop(deadlineMs: number): Promise<void>;
}

interface Receiving {
  readonly receiver: Receiver;
  readonly http?: HttpReceiver;
  readonly socket?: SocketModeReceiver;
}

function createReceiver(options: ConnectOptions): Receiving {
  const { receive, clock, log } = options;
  const logger = createSdkLog(log);
  if (receive.mode === 'http') {
    const http = new HttpReceiver({ ...options, signingSecret: receive.signingSecret });
    return { receiver: http, http };
  }
  const socket = new SocketModeReceiver({
    appToken: receive.appToken.reveal(),
    autoReconnectEnabled: false,
    logger,
    customPropertiesExtractor: () => ({ receivedAt: clock.now() }),
    installerOptions: { clientOptions: createWebClientOptions(options, 2) },
  });
  return { receiver: socket, socket };
}

function createApp(options: ConnectOptions, receiver: Receiver): App {
  const { botToken, identity, log } = options;
  return new App({
    receiver,
    token: botToken.reveal(),
    botId: identity.botId,
    botUserId: identity.botUserId,
    // `fetchBotIdentity` asks once: the SDK would ask again for each event.
    tokenVerificationEnabled: false,
    deferInitialization: true,
    convoStore: false,
    logger: createSdkLog(log),
    clientOptions: createWebClientOptions(options, 2),
  });
}

/**
 * The SDK silently drops requests it can't route: Slack would wait 3 s, show an error, and resend them.
 * Acknowledges them instead. Events during shutdown are dropped on purpose: Slack resends them to the next
 * process.
 */
function acknowledgeAll(app: App, boundary: SlackDispatcher, log: Log): void {
  const place = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    if (boundary.isStopping && event.body['type'] === 'event_callback')
      return log.info('ignored an event during shutdown, Slack will send it again');
    let isAcknowledged = false;
    const ack: typeof event.ack = async (answer) => {
      isAcknowledged = true;
      await event.ack(answer);
    };
    await place({ ...event, ack });
    if (isAcknowledged) return;
    log.warn('ignored an unexpected request from Slack');
    await boundary.handleUnrecognizedPayload(event.body, async (answer) => event.ack(answer));
  };
}

/**
 * Waits while Slack is unreachable.
 * @throws Error when the port is taken or Slack refuses the first connection; everything is closed then.
 */
export async function startSlackApp(options: ConnectOptions): Promise<SlackApp> {
  const { boundary, clock, log } = options;
  const { receiver, http, socket } = createReceiver(options);
  const app = createApp(options, receiver);
  app.error(async (error) => log.error('the Slack SDK failed on a request', { error: asError(error) }));
  registerSlackListeners(app, boundary, options.identity.botUserId);
  acknowledgeAll(app, boundary, log);
  await app.init();
  let kept: SocketConnection | undefined;
  const server = await startHttpServer({
    ...options.http,
    clock,
    log,
    routes: { '/healthz': () => ({ status: 200, type: 'text/plain', body: 'ok\n' }), ...options.routes },
    ...(http ? { slack: (request, response) => http.handleRequest(request, response) } : {}),
  });
  try {
    if (socket) kept = await maintainSocketConnection(socket.client, options, options.signal);
  } catch (thrown) {
    await server.stop(SECOND);
    throw thrown;
  }
  return runningApp(options, server, kept);
}

function runningApp(
  options: ConnectOptions,
  server: RunningServer,
  kept: SocketConnection | undefined,
): SlackApp {
  return {
    port: server.port,
    get isConnected() {
      return kept?.isConnected ?? true;
    },
    async stop(deadlineMs) {
      const left = await options.boundary.stop(deadlineMs);
      if (left > 0) options.log.warn('handlers were still running at shutdown', { left });
      await kept?.stop();
      await server.stop(SECOND);
    },
  };
}

const ANYTHING = /(?:)/u;

/**
 * Routes every kind of Slack request to the dispatcher, known or not: requests without a Bolt listener end in
 * an error after 3 s.
 */
function registerSlackListeners(app: App, boundary: SlackDispatcher, botUser: UserId): void {
  app.command(ANYTHING, ({ body, ack, context }) => boundary.command(body, ack, receivedAt(context)));
  app.action(ANYTHING, ({ body, ack, context }) => boundary.action(body, ack, receivedAt(context)));
  app.shortcut(ANYTHING, ({ body, ack, context }) => boundary.shortcut(body, ack, receivedAt(context)));
  app.view<ViewSubmitAction>({ callback_id: ANYTHING, type: 'view_submission' }, ({ body, ack, context }) =>
    boundary.view(body, ack, receivedAt(context)),
  );
  app.view<ViewClosedAction>({ callback_id: ANYTHING, type: 'view_closed' }, ({ body, ack, context }) =>
    boundary.viewClosed(body, ack, receivedAt(context)),
  );
  app.options(ANYTHING, ({ ack }) => ack({ options: [] }));
  const { events } = boundary;
  app.event('app_home_opened', async ({ body }) => events.homeOpened(body));
  app.event('link_shared', async ({ body }) => events.linkShared(body));
  app.event('member_joined_channel', async ({ body }) => events.memberJoined(body, botUser));
  app.event('app_mention', async ({ body }) => events.mentioned(body, botUser));
  app.event('message', async ({ body }) => events.directMessage(body, botUser));
}

/** When the request arrived; set by the receiver (connect.ts, http-receiver.ts). */
function receivedAt(context: Readonly<Record<string, unknown>>): number | undefined {
  const at = context['receivedAt'];
  return typeof at === 'number' ? at : undefined;
}
