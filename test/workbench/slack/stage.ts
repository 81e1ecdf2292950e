/** Real SDKs against a simulated Slack: Bolt in Socket Mode or over HTTP, and a bare Web API client. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { type ModalView, WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { silentLog } from '../../../src/log.ts';
import { createSdkLog } from '../../../src/slack/core/clients.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import type { SimulatedSlack } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../../seeded-random.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** A simulated Slack with ada (an admin), bob and the channel C1, and a client with the bot's token. */
export async function startStage() {
  const clock = new ManualClock();
  const slack = await startSimulatedSlack({ clock, random: seededRandom(1) });
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
    logger: silent,
  });
}

const silent = createSdkLog(silentLog);

export interface RunningApp {
  stop(): Promise<unknown>;
}

async function start(slack: SimulatedSlack, receiver: Receiver, listen: (app: App) => void) {
  const app = new App({
    token: slack.botToken,
    receiver,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    logger: silent,
    deferInitialization: true,
    convoStore: false,
  });
  listen(app);
  await app.init();
  return { app, started: await app.start(0) };
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
  const { app } = await start(slack, receiver, listen);
  return { stop: () => app.stop() };
}

export async function startOverHttp(slack: SimulatedSlack, listen: (app: App) => void): Promise<RunningApp> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: silent });
  const { app, started } = await start(slack, receiver, listen);
  const { port } = (started as Server).address() as AddressInfo;
  slack.attachHttp(`http://127.0.0.1:${port}/slack/events`);
  return {
    stop: () => {
      slack.detachHttp();
      return app.stop();
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

/** Something that the simulated Slack does as Slack, tried on a fresh stage. */
export type Exercise = (stage: Stage) => Promise<unknown>;

/** A trigger of ada's, from a command without a listener. */
export async function triggerFor({ slack }: Stage): Promise<string> {
  return (await slack.runSlashCommand({ user: 'U1', channel: 'C1', text: 'x' })).triggerId;
}

export async function responseUrlFor({ slack }: Stage): Promise<string> {
  return (await slack.runSlashCommand({ user: 'U1', channel: 'C1', text: 'x' })).responseUrl ?? '';
}

/** An exercise that ends in this error code. */
export function refused(code: string, call: (stage: Stage) => Promise<unknown>): Exercise {
  return async (stage) => expect(await refusalOf(call(stage))).toBe(code);
}

export function postRaw(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return globalThis.fetch(url, { method: 'POST', headers, body });
}

export function postJson(url: string, body: unknown): Promise<Response> {
  return postRaw(url, JSON.stringify(body), { 'content-type': 'application/json' });
}

export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const section = (text: string) => ({ type: 'section' as const, text: plain(text) });
export const modal = (extra: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  title: plain('Modal'),
  blocks: [section('Hello')],
  ...extra,
});

/** A message in C1. Returns its ts. */
export async function posted({ client }: Stage, extra: object = {}): Promise<string> {
  const answer = await client.chat.postMessage({ channel: 'C1', text: 'A message', ...extra });
  return answer.ts ?? '';
}

/** A view open for ada. */
export async function opened(stage: Stage, extra: Partial<ModalView> = {}) {
  const { view } = await stage.client.views.open({ trigger_id: await triggerFor(stage), view: modal(extra) });
  return view;
}

/** One test for each exercise, by what it is about. */
export function covers(exercises: Readonly<Record<string, Exercise>>): void {
  it.each(Object.entries(exercises))('%s', async (_about, exercise) => {
    const stage = await startStage();
    await exercise(stage);
    await stage.slack.close();
  });
}

export const REDIRECT_URI = 'https://app.example/back';

/** Where an app sends a person who installs it. */
export function authorizeUrlOf({ slack }: Stage): string {
  const url = new URL('/oauth/v2/authorize', slack.apiUrl);
  const asked = { client_id: slack.clientId, scope: 'chat:write,commands' };
  url.search = new URLSearchParams({ ...asked, redirect_uri: REDIRECT_URI, state: 'st' }).toString();
  return url.href;
}

/** The code of a person who allowed it. */
export function codeFor(stage: Stage): string {
  const back = stage.slack.allowInstall({ user: 'U1', authorizeUrl: authorizeUrlOf(stage) });
  return new URL(back).searchParams.get('code') ?? '';
}

/** Exchanges a new code, as the app does. */
export function exchange(stage: Stage, args: Record<string, unknown> = {}) {
  const { client, slack } = stage;
  return client.apiCall('oauth.v2.access', {
    client_id: slack.clientId,
    client_secret: slack.clientSecret,
    redirect_uri: REDIRECT_URI,
    code: codeFor(stage),
    ...args,
  });
}

/** A bar chart of one bar. */
export const chart = (extra: Record<string, unknown> = {}, title = 'Bids') => ({
  type: 'data_visualization',
  title,
  chart: {
    type: 'bar',
    series: [{ name: 'Bids', data: [{ label: 'Mon', value: 1 }] }],
    axis_config: { categories: ['Mon'], x_label: 'Day', y_label: 'Bids' },
    ...extra,
  },
});
/** Posts a message, or opens a view. @returns the error code; `ok` when it succeeds */
export async function send(stage: Stage, given: Record<string, unknown>): Promise<string> {
  if (!('view' in given))
    return refusalOf(stage.client.apiCall('chat.postMessage', { channel: 'C1', ...given }));
  return refusalOf(stage.client.apiCall('views.open', { trigger_id: await triggerFor(stage), ...given }));
}
