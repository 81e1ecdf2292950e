/**
 * Connects Gigdesk to Slack through Socket Mode or signed HTTP requests, guarding the SDK's traps (decision
 * 0004).
 */
import {
  App,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
  type ViewClosedAction,
  type ViewSubmitAction,
} from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { type Instant, type RandomSource, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { HOOKS_PATH } from '../hints/hints.ts';
import type { Secret } from '../secret.ts';
import { type ClientOptions, createSdkLog, createWebClientOptions } from './core/clients.ts';
import { HttpReceiver } from './core/http-receiver.ts';
import { type HttpRoutes, startHttpServer } from './core/http-server.ts';
import { createJsonPoster } from './core/replies.ts';
import type { Acknowledgement } from './core/slack-request.ts';
import { maintainSocketConnection, type SocketConnection } from './core/socket.ts';
import { createForwardHandler } from './forwarded-requests.ts';
import { type HintRequestOptions, HintRequests } from './hint-requests.ts';
import { TeamRouter, type TeamRouterOptions } from './team-router.ts';

interface ConnectOptions
  extends Omit<ClientOptions, 'botToken'>,
    Omit<TeamRouterOptions, 'post'>,
    Pick<HintRequestOptions, 'onHintRequest'> {
  readonly receive:
    | { readonly mode: 'socket'; readonly appToken: Secret }
    | { readonly mode: 'http'; readonly signingSecret: Secret };
  readonly http: { readonly host: string; readonly port: number };
  /** In addition to `/healthz`: `/readyz` and `/metrics`. */
  readonly routes?: HttpRoutes;
  /** Called for each Slack request answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
  /** The time that replicas share; missing: there is one process. */
  readonly commonNow?: () => Instant;
  /** For `response_url`s; an own connection pool when absent. */
  readonly dispatcher?: Dispatcher;
  /** For the websocket of Socket Mode; the SDK's own when absent. */
  readonly socketDispatcher?: Dispatcher;
  readonly random: RandomSource;
  /** Stops waiting for the first connection. */
  readonly signal?: AbortSignal;
}

function createReceiver(
  options: ConnectOptions,
  router: TeamRouter,
): { readonly receiver: Receiver; readonly http?: HttpReceiver; readonly socket?: SocketModeReceiver } {
  const { receive, clock, log } = options;
  const logger = createSdkLog(log);
  if (receive.mode === 'http') {
    const http = new HttpReceiver({
      ...options,
      signingSecret: receive.signingSecret,
      admit: (request) => router.admit(request),
    });
    return { receiver: http, http };
  }
  const socket = new SocketModeReceiver({
    appToken: receive.appToken.reveal(),
    dispatcher: options.socketDispatcher,
    autoReconnectEnabled: false,
    logger,
    customPropertiesExtractor: () => ({ receivedAt: clock.now() }),
    installerOptions: { clientOptions: createWebClientOptions(options) },
  });
  return { receiver: socket, socket };
}

function createApp(options: ConnectOptions, receiver: Receiver, router: TeamRouter): App {
  return new App({
    receiver,
    // The handlers have the workspace's token. The SDK needs to know which posts are our own.
    authorize: async (_source, body) => {
      const { botId, botUserId } = router.findServed(body ?? {}).identity;
      return { botId, botUserId };
    },
    deferInitialization: true,
    convoStore: false,
    logger: createSdkLog(options.log),
    clientOptions: createWebClientOptions(options),
  });
}

const ANYTHING = /(?:)/u;

/** When the request arrived; set by the receivers. */
function readReceivedAt(context: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const at = context?.['receivedAt'];
  return typeof at === 'number' ? at : undefined;
}

/** Listens to everything, known or not: requests without a listener end in an error after 3 s. */
function registerSlackListeners(app: App, router: TeamRouter): void {
  const dispatcherOf = (body: object) => router.findServed(body).dispatcher;
  app.command(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).command(body, ack, readReceivedAt(context)),
  );
  app.action(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).action(body, ack, readReceivedAt(context)),
  );
  app.shortcut(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).shortcut(body, ack, readReceivedAt(context)),
  );
  app.view<ViewSubmitAction>({ callback_id: ANYTHING, type: 'view_submission' }, ({ body, ack, context }) =>
    dispatcherOf(body).view(body, ack, readReceivedAt(context)),
  );
  app.view<ViewClosedAction>({ callback_id: ANYTHING, type: 'view_closed' }, ({ body, ack, context }) =>
    dispatcherOf(body).viewClosed(body, ack, readReceivedAt(context)),
  );
  app.options(ANYTHING, ({ ack }) => ack({ options: [] }));
  app.event('app_home_opened', async ({ body }) => dispatcherOf(body).events.homeOpened(body));
  app.event('link_shared', async ({ body }) => dispatcherOf(body).events.linkShared(body));
  app.event('member_joined_channel', async ({ body }) => {
    const { dispatcher, identity } = router.findServed(body);
    dispatcher.events.memberJoined(body, identity.botUserId);
  });
  app.event('channel_id_changed', async ({ body }) => dispatcherOf(body).events.channelIdChanged(body));
  app.event('app_mention', async ({ body }) => {
    const { dispatcher, identity } = router.findServed(body);
    dispatcher.events.mentioned(body, identity.botUserId);
  });
  app.event('message', async ({ body }) => {
    const { dispatcher, identity } = router.findServed(body);
    dispatcher.events.directMessage(body, identity.botUserId);
  });
}

/**
 * The SDK silently drops requests it can't route: Slack would wait 3 s, show an error, and resend them.
 * Acknowledges them instead. Events during shutdown are dropped on purpose: Slack resends them to the next
 * process.
 */
function acknowledgeAll(app: App, router: TeamRouter, { clock, log }: ConnectOptions): void {
  const place = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    const { body } = event;
    // The HTTP receiver has admitted its requests; those of a socket have no signed form.
    const answer = router.isAdmitted(body)
      ? undefined
      : await router.admit({ body, receivedAt: readReceivedAt(event.customProperties) ?? clock.now() });
    if (answer) return acknowledgeBySocket(answer, event.ack);
    const { dispatcher } = router.findServed(body);
    if (dispatcher.isStopping && body['type'] === 'event_callback')
      return log.info('ignored an event during shutdown, Slack will send it again');
    let isAcknowledged = false;
    const ack: typeof event.ack = async (given) => {
      isAcknowledged = true;
      await event.ack(given);
    };
    await place({ ...event, ack });
    if (isAcknowledged) return;
    log.warn('ignored an unexpected request from Slack');
    await dispatcher.handleUnrecognizedPayload(body, async (given) => event.ack(given));
  };
}

/** A socket only knows the bodies of acknowledgements. Without one, Slack resends an event. */
async function acknowledgeBySocket(
  { status, type, body }: Acknowledgement,
  ack: ReceiverEvent['ack'],
): Promise<void> {
  if (status >= 300) return;
  if (body === '') await ack();
  else await ack(type === undefined ? body : JSON.parse(body));
}

export type SlackApp = Awaited<ReturnType<typeof startSlackApp>>;

/**
 * Waits while Slack is unreachable.
 * @throws Error when the port is taken or Slack refuses the first connection; everything is closed then.
 */
export async function startSlackApp(options: ConnectOptions) {
  const { clock, log } = options;
  const poster = createJsonPoster(options.dispatcher);
  const router = new TeamRouter({ ...options, post: poster.post });
  const { receiver, http, socket } = createReceiver(options, router);
  const app = createApp(options, receiver, router);
  app.error(async (error) => log.error('the Slack SDK failed on a request', { error: asError(error) }));
  registerSlackListeners(app, router);
  acknowledgeAll(app, router, options);
  await app.init();
  let kept: SocketConnection | undefined;
  const hints = new HintRequests(options);
  const server = await startHttpServer({
    ...options.http,
    clock,
    log,
    routes: { '/healthz': () => ({ status: 200, type: 'text/plain', body: 'ok\n' }), ...options.routes },
    slack: http && ((request, response) => http.handleRequest(request, response)),
    replicas: createForwardHandler({ ...options, app, admit: (it) => router.admit(it), http, hints }),
    hooks: {
      path: HOOKS_PATH,
      handle: (request, response, secret, query) => hints.handleRequest(request, response, secret, query),
    },
  });
  try {
    if (socket) kept = await maintainSocketConnection(socket.client, options, options.signal);
  } catch (thrown) {
    await server.stop(SECOND);
    await poster.close();
    throw thrown;
  }
  return {
    /** The HTTP server's port. */
    port: server.port,
    /** Whether Slack's requests can reach us, as far as we know. */
    get isConnected() {
      return kept?.isConnected ?? true;
    },
    /** Accepts no new requests, lets running handlers finish until the deadline, then closes everything. */
    async stop(deadlineMs: number): Promise<void> {
      const left = await options.teams.stop(deadlineMs);
      if (left > 0) log.warn('handlers were still running at shutdown', { left });
      await kept?.stop();
      await server.stop(SECOND);
      await poster.close();
    },
  };
}
