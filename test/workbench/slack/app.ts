/** Real SDKs against a simulated Slack: Bolt in Socket Mode or over HTTP, and a bare Web API client. */

import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { LogLevel, WebClient } from '@slack/web-api';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import type { SimulatedSlack, SlackOptions } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';

export interface Stage {
  readonly slack: SimulatedSlack;
  readonly clock: ManualClock;
  readonly client: WebClient;
}

/** The same random numbers every time. */
function countingRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A simulated Slack with ada (an admin), bob and the channel C1, and a client with the bot's token. */
export async function startStage(options: Partial<SlackOptions> = {}): Promise<Stage> {
  const clock = new ManualClock();
  const slack = await startSimulatedSlack({ clock, random: countingRandom(), ...options });
  furnish(slack);
  return { slack, clock, client: clientOf(slack) };
}

export function furnish(slack: SimulatedSlack): void {
  slack.addUser({ id: 'U1', name: 'ada', admin: true });
  slack.addUser({ id: 'U2', name: 'bob' });
  slack.addChannel({ id: 'C1', name: 'projects' });
}

export function clientOf(slack: SimulatedSlack, token: string | undefined = slack.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
    logger: silent,
  });
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

export interface RunningApp {
  readonly app: App;
  stop(): Promise<void>;
}

function newApp(slack: SimulatedSlack, receiver: Receiver): App {
  return new App({
    token: slack.botToken,
    receiver,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logger: silent,
    deferInitialization: true,
    convoStore: false,
  });
}

/** `listen` registers the app's handlers; resolves after Slack's hello. */
export async function startInSocketMode(
  slack: SimulatedSlack,
  listen: (app: App) => void,
): Promise<RunningApp> {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: silent,
    clientPingTimeout: 100,
    installerOptions: { clientOptions },
  });
  const app = newApp(slack, receiver);
  listen(app);
  await app.init();
  await app.start();
  return { app, stop: async () => void (await app.stop()) };
}

export async function startOverHttp(slack: SimulatedSlack, listen: (app: App) => void): Promise<RunningApp> {
  const receiver = new HTTPReceiver({
    signingSecret: slack.signingSecret,
    logger: silent,
    port: 0,
  });
  const app = newApp(slack, receiver);
  listen(app);
  await app.init();
  const server = await app.start(0);
  const { port } = server.address() as AddressInfo;
  slack.attachHttp(`http://127.0.0.1:${port}/slack/events`);
  return {
    app,
    stop: async () => {
      slack.detachHttp();
      await app.stop();
    },
  };
}

/** A call's error code; `ok` when it succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (thrown) {
    const data = thrown instanceof Error && 'data' in thrown ? thrown.data : undefined;
    if (typeof data === 'object' && data && 'error' in data) return String(data.error);
    return thrown instanceof Error ? thrown.constructor.name : String(thrown);
  }
}
