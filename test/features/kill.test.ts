/** The whole app as a process of its own, killed with SIGKILL at seeded moments while projects keep coming. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, machineClock, SECOND } from '../../src/clock.ts';
import { collections } from '../../src/collections.ts';
import { ledgerRecords, reservations } from '../../src/credits/records.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { actionIds } from '../../src/slack/blocks/ids.ts';
import { openLowdbStore } from '../../src/storage/lowdb/open.ts';
import { scan } from '../../src/storage/store.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startMarketplace } from '../../src/workbench/marketplace/start.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSlack } from '../../src/workbench/slack/start.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  type AppProcess,
  type CompiledApp,
  compileApp,
  environmentBeside,
  errorsIn,
  type LogLine,
} from './app-process.ts';

const KILLS = 20;
/** Not faster: some of the app's patience (2 s for the record of a request) would be shorter than a busy disk. */
const SPEED = 20;
const FILTERS = [101, 102, 103];
/** How long a condition may take on a busy machine, in its own time. */
const BOUND_MS = 30_000;

let compiled: CompiledApp;
let marketplace: SimulatedMarketplace;
let slack: SimulatedSlack;
let clock: Clock;
let env: Record<string, string>;

beforeAll(async () => {
  compiled = await compileApp();
  const random = seededRandom(7);
  const began = machineClock.now();
  clock = fastClock(SPEED, began);
  marketplace = await startMarketplace({ clock, random });
  slack = await startSlack({ clock, peopleClock: machineClock, random, rateLimits: 'on' });
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
  slack.addChannel({ name: 'data' });
  for (const id of FILTERS) marketplace.addFilter({ id });
  env = {
    ...environmentBeside({ slack, marketplace }, { speed: SPEED, began }, join(compiled.place, 'data')),
    LOG_LEVEL: 'info',
  };
}, 60_000);

afterAll(async () => {
  await Promise.all([marketplace.close(), slack.close()]);
  await compiled.remove();
});

async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    callOff = machineClock.after(BOUND_MS, () => reject(new Error(`not within ${BOUND_MS} ms: ${what}`)));
  });
  return Promise.race([work, late]).finally(() => callOff());
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = machineClock.now() + BOUND_MS; !condition(); await machineClock.sleep(10))
    if (machineClock.now() > end) throw new Error(`not within ${BOUND_MS} ms: ${what}`);
}

/** How much the outside world has seen of the app. */
const seenOfIt = () => marketplace.requests().length + slack.calls().length;

/** The projects that have a card of their own in a channel, in order. */
function told(channel: string): readonly string[] {
  return slack.messages(channel).flatMap(({ metadata }) => {
    const [kind, , ...project] = String(metadata?.event_payload['post']).split(':');
    return kind === 'card' ? [project.join(':')] : [];
  });
}

/** Summaries of floods give out their cards, so that each project can be counted. */
async function openFloods(channel: string): Promise<void> {
  const isFull = (ts: string) =>
    JSON.stringify(slack.message(channel, ts)?.blocks ?? []).includes(actionIds.showMore);
  for (const message of slack.messages(channel).filter(({ ts }) => isFull(ts))) {
    await slack.press({ user: 'ada', message, actionId: actionIds.showMore });
    const count = told(channel).length;
    await until('cards out of a summary', () => told(channel).length > count || !isFull(message.ts));
  }
}

/** What the last life has left on disk. */
async function readBooks() {
  const folder = env['DATA_DIR'] ?? '';
  const store = await openLowdbStore({ folder, collections, log: silentLog, clock: machineClock });
  const prefix = [TeamId.parse(slack.team.id)] as const;
  const books = await store.read(async (tx) => {
    let spent = 0;
    for await (const { value } of scan(tx, ledgerRecords, { prefix })) spent += value.credits;
    return { spent, reserved: await tx.list(reservations, { prefix, limit: 10 }) };
  });
  await store.close();
  return { ...books, notices: store.notices };
}

/** Everything that all lives of the app have logged, and written besides. */
const lines: LogLine[] = [];
const noise: string[] = [];

async function end(app: AppProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  expect(app.isRunning).toBe(true);
  app.child.kill(signal);
  const how = await within(`its end by ${signal}`, app.ended);
  lines.push(...app.log);
  noise.push(...app.noise);
  return how;
}

const FOLLOWED = { web: [101, 102], data: [102, 103] } as const;
type ChannelName = keyof typeof FOLLOWED;
const CHANNELS: readonly ChannelName[] = ['web', 'data'];
const published: { readonly project: string; readonly filters: readonly number[] }[] = [];

function publish(random: () => number): void {
  const filters = [[101], [102], [103], [101, 102, 103]][Math.floor(random() * 4)] ?? [];
  published.push({ project: marketplace.publish(filters).ciphertext, filters });
}

function expectedIn(channel: ChannelName): readonly string[] {
  const isFollowed = (filter: number) => FOLLOWED[channel].some((it) => it === filter);
  return published.filter(({ filters }) => filters.some(isFollowed)).map(({ project }) => project);
}

async function subscribeAll(): Promise<void> {
  for (const channel of CHANNELS) {
    for (const filter of FOLLOWED[channel]) {
      const answers = () => slack.ephemerals('ada', channel).length + slack.messages(channel).length;
      const before = answers();
      await slack.command({ user: 'ada', channel, text: `subscribe filter ${filter}` });
      await until(`filter ${filter} to be followed in ${channel}`, () => answers() > before);
    }
  }
  // A subscription begins at its own second, and projects are dated in whole ones.
  await clock.sleep(2 * SECOND);
}

/** Until it has done so much that the outside can see, projects arriving meanwhile, and a moment longer. */
async function letWork(random: () => number): Promise<void> {
  const enough = seenOfIt() + Math.floor(random() * 20);
  publish(random);
  await until('the app at work', () => {
    if (random() < 0.02) publish(random);
    return seenOfIt() >= enough;
  });
  await machineClock.sleep(random() * 40);
}

async function untilAllTold(): Promise<void> {
  for (const channel of CHANNELS) {
    let count = -1;
    // Each round brings cards or fails at its own bound.
    while (told(channel).length < expectedIn(channel).length) {
      await openFloods(channel);
      await until(`more cards in ${channel}`, () => told(channel).length > count);
      count = told(channel).length;
    }
  }
}

it(`killed ${KILLS} times it tells every project once, and its ledger is the server’s`, async () => {
  const random = seededRandom(11);
  let app = compiled.start(env);
  await within('the first start', app.logged('Gigdesk runs'));
  await subscribeAll();
  for (let kill = 0; kill < KILLS; kill++) {
    await letWork(random);
    expect(await end(app, 'SIGKILL')).toBe('SIGKILL');
    app = compiled.start(env);
  }
  await within('the last start', app.logged('Gigdesk runs'));
  await untilAllTold();
  // Answers to these prove what became of requests that a kill had cut off.
  for (const filter of FILTERS)
    published.push({ project: marketplace.publish(filter).ciphertext, filters: [filter] });
  await untilAllTold();
  expect(await end(app, 'SIGTERM')).toBe(0);

  for (const channel of CHANNELS) expect(told(channel).toSorted()).toEqual(expectedIn(channel).toSorted());
  expect(marketplace.busiestMinute()).toBeLessThanOrEqual(30);
  expect(slack.errors()).toEqual([]);
  const books = await readBooks();
  expect(books.notices).toEqual([]);
  expect(books.reserved).toEqual([]);
  expect(books.spent).toBe(marketplace.consumed().total);

  expect(noise).toEqual([]);
  expect(errorsIn(lines)).toEqual([]);
}, 180_000);
