/** The page's server beside the whole app, called over real HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { expect, vi } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { MarketController, type MarketEventTriggers } from '../../../src/workbench/page/market-controller.ts';
import type {
  MarketAction,
  PageAction,
  PageActionResult,
  ShownMarket,
  ShownMessage,
  ShownView,
} from '../../../src/workbench/page/protocol.ts';
import { startPageServer } from '../../../src/workbench/page/start-page-server.ts';
import type { Desk } from '../../kit/start-desk.ts';

export type PageWorld = Awaited<ReturnType<typeof openPage>>;

export async function openPage(desk: Desk) {
  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-page-'));
  await mkdir(path.join(root, 'assets'));
  await mkdir(path.join(root, 'client'));
  await writeFile(path.join(root, 'assets/index.html'), '<!doctype html><title>Workbench</title>');
  await writeFile(path.join(root, 'assets/secret.txt'), 'not of the page');
  await writeFile(path.join(root, 'client/main.js'), 'export {};');
  await writeFile(path.join(root, 'outside.js'), 'not of the page');
  const life = {
    hurry: vi.fn(() => true),
    publish: vi.fn(() => true),
    publishHinted: vi.fn<MarketEventTriggers['publishHinted']>(async () => 'no-address'),
    publishStrange: vi.fn(() => true),
    invite: vi.fn(() => true),
    outcome: vi.fn(() => false),
    runJobs: vi.fn(() => true),
  };
  const { slack } = desk;
  const { marketplace, clock } = desk.app;
  const offers = { commands: [], shortcuts: [{ callbackId: 'look_up_project', name: 'Look up project' }] };
  const market = new MarketController(marketplace, clock, life, desk.pass);
  const parts = { slack, market, clock, offers, root };
  const server = await startPageServer({ ...parts, port: 0 });

  type Request = { readonly headers?: Record<string, string>; readonly body?: string };
  const ask = async (method: string, target: string, given: Request = {}) => {
    const answer = await request(`${server.origin}${target}`, { method: method as 'GET', ...given });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  const post = async (target: string, body: unknown): Promise<PageActionResult> => {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await ask('POST', target, { headers, body: JSON.stringify(body) });
    expect(status, text).toBe(200);
    return JSON.parse(text) as PageActionResult;
  };
  const get = async <T>(target: string): Promise<T> => {
    const { status, text } = await ask('GET', target);
    expect(status, text).toBe(200);
    return JSON.parse(text) as T;
  };
  const id = (user: string) => slack.user(user).id;
  return {
    desk,
    slack,
    marketplace,
    server,
    /** What can be triggered in the marketplace. */
    life,
    /** Of the server. */
    parts,
    ask,
    get,
    act: async (given: PageAction) => {
      const answer = await post('/api/act', given);
      await desk.pass(3 * SECOND);
      return answer;
    },
    market: (given: MarketAction) => post('/api/market', given),
    /** Messages of a channel, by its name, as a person sees them. */
    channel: (user: string, channel: string) =>
      get<readonly ShownMessage[]>(`/api/channel?as=${id(user)}&channel=${slack.channel(channel).id}`),
    views: (user: string) => get<readonly ShownView[]>(`/api/views?as=${id(user)}`),
    books: () => get<ShownMarket>('/api/market'),
    id,
    stop: async () => {
      await server.close();
      await desk.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
