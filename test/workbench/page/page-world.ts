/** The page's server beside the whole app, called over real HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { expect } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { MarketController } from '../../../src/workbench/page/market-controller.ts';
import type {
  MarketAction,
  PageAction,
  PageActionResult,
  ShownElement,
  ShownMarket,
  ShownMessage,
  ShownView,
} from '../../../src/workbench/page/protocol.ts';
import { type RunningPageServer, startPageServer } from '../../../src/workbench/page/start-page-server.ts';
import type { World } from '../../features/world.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface PageWorld {
  readonly world: World;
  readonly page: RunningPageServer;
  /** How often each was triggered. */
  readonly happened: Record<
    'hurry' | 'publish' | 'publishHinted' | 'publishStrange' | 'invite' | 'outcome' | 'runJobs',
    number
  >;
  ask(
    method: string,
    target: string,
    options?: { headers?: Record<string, string>; body?: string },
  ): Promise<Reply>;
  get<T>(target: string): Promise<T>;
  act(act: PageAction): Promise<PageActionResult>;
  market(act: MarketAction): Promise<PageActionResult>;
  /** Messages of a channel, by its name, as a person sees them. */
  channel(user: string, channel: string): Promise<readonly ShownMessage[]>;
  views(user: string): Promise<readonly ShownView[]>;
  books(): Promise<ShownMarket>;
  id(user: string): string;
  stop(): Promise<void>;
}

export async function openPage(world: World): Promise<PageWorld> {
  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-page-'));
  await mkdir(path.join(root, 'assets'));
  await mkdir(path.join(root, 'client'));
  await writeFile(path.join(root, 'assets/index.html'), '<!doctype html><title>Workbench</title>');
  await writeFile(path.join(root, 'assets/secret.txt'), 'not of the page');
  await writeFile(path.join(root, 'client/main.js'), 'export {};');
  await writeFile(path.join(root, 'outside.js'), 'not of the page');
  const happened = {
    hurry: 0,
    publish: 0,
    publishHinted: 0,
    publishStrange: 0,
    invite: 0,
    outcome: 0,
    runJobs: 0,
  };
  const life = {
    hurry: () => ++happened.hurry > 0,
    publish: () => ++happened.publish > 0,
    publishHinted: async () => (++happened.publishHinted > 1 ? ('no-address' as const) : ('sent' as const)),
    publishStrange: () => ++happened.publishStrange > 0,
    invite: () => ++happened.invite > 0,
    outcome: () => ++happened.outcome > 9,
    runJobs: () => ++happened.runJobs > 0,
  };
  const { slack, marketplace, clock } = world;
  const offers = { commands: [], shortcuts: [{ callbackId: 'look_up_project', name: 'Look up project' }] };
  const market = new MarketController(marketplace, clock, life, (ms) => world.pass(ms));
  const page = await startPageServer({ slack, market, clock, offers, root, port: 0 });

  const ask: PageWorld['ask'] = async (method, target, given = {}) => {
    const answer = await request(`${page.origin}${target}`, { method: method as 'GET', ...given });
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
    world,
    page,
    happened,
    ask,
    get,
    act: async (given) => {
      const answer = await post('/api/act', given);
      await world.pass(3 * SECOND);
      return answer;
    },
    market: (given) => post('/api/market', given),
    channel: (user, channel) => get(`/api/channel?as=${id(user)}&channel=${slack.channel(channel).id}`),
    views: (user) => get(`/api/views?as=${id(user)}`),
    books: () => get('/api/market'),
    id,
    stop: async () => {
      await page.close();
      await world.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function elementsOf({ blocks }: Pick<ShownMessage | ShownView, 'blocks'>): readonly ShownElement[] {
  return blocks.flatMap((block): readonly ShownElement[] => {
    if (block.kind === 'actions') return block.elements;
    if (block.kind === 'input') return [block.element];
    return block.kind === 'section' && block.accessory ? [block.accessory] : [];
  });
}

export function buttonOf(on: Pick<ShownMessage | ShownView, 'blocks'>, label: string): ShownElement {
  return elementsOf(on).find((each) => each.label === label) ?? expect.fail(`no button ${label}`);
}

/** All drawn content without the controls. */
export function htmlOf(shown: Pick<ShownMessage, 'blocks' | 'html'>): string {
  return [shown.html ?? '', ...shown.blocks.map((block) => ('html' in block ? block.html : ''))].join('');
}
