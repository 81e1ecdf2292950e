/**
 * The whole app beside a simulated marketplace and Slack: what its projects cost while all kinds of things
 * fail.
 */
import { setImmediate } from 'node:timers/promises';
import { allCollections } from '../../src/app/collections.ts';
import { MINUTE, machineClock, type RandomSource, SECOND } from '../../src/clock.ts';
import { type BudgetRecord, budgetRecords } from '../../src/credits/records.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { listAllValues } from '../../src/storage/store.ts';
import { type RunningApp, runApp } from '../../test/kit/run-app.ts';
import { SLACK_TROUBLE, TROUBLE } from '../../test/play/troubles.ts';
import { seededRandom } from '../../test/seeded-random.ts';

/** Channels share filters, and two of the filters find the same projects. */
const FOLLOWED = { web: [101, 102], data: [102, 103], ops: [101, 103, 104] } as const;
const CHANNELS = Object.keys(FOLLOWED) as (keyof typeof FOLLOWED)[];
const FILTERS = [101, 102, 103, 104];
/** Turns of the event loop before the app is killed, at any point of its work. */
const LONGEST_LIFE = 60;
const CALM_AT_MOST_MS = 2 * 60 * MINUTE;

export interface CreditsPlayed {
  readonly published: number;
  /** Projects posted in at least one channel. */
  readonly delivered: number;
  /** Cards due: one for each channel that follows a filter of the project. */
  readonly due: number;
  readonly missing: number;
  readonly twice: number;
  /** Credits by the marketplace's own books. */
  readonly charged: number;
  /** Credits by the app's books, over the budgets of all channels. */
  readonly onBudgets: number;
}

interface Game {
  readonly app: RunningApp;
  readonly random: RandomSource;
  /** Each project with its filters. */
  readonly published: Map<string, readonly number[]>;
}

/** @param kills how often the app is killed, each time after some more projects and faults */
export async function playCredits(seed: number, kills: number): Promise<CreditsPlayed> {
  const app = await runApp({ seed, requestsPerMinute: 30 });
  try {
    const game: Game = { app, random: seededRandom(seed * 7_919), published: new Map() };
    await settleIn(app);
    for (let kill = 0; kill < kills; kill++) {
      publish(game);
      makeTrouble(game);
      await app.pass(upTo(game, 20) * SECOND);
      await killSomewhere(game);
    }
    app.marketplace.clearFaults();
    return await comeToRest(game);
  } finally {
    await app.stop();
  }
}

async function type({ slack, settle }: RunningApp, channel: string, text: string): Promise<void> {
  await slack.runSlashCommand({ user: 'ada', channel, text });
  await settle();
}

async function settleIn(app: RunningApp): Promise<void> {
  app.slack.addChannel({ name: 'ops' });
  app.slack.inviteBot('ops');
  for (const id of FILTERS) app.marketplace.addFilter({ id });
  for (const channel of CHANNELS) {
    for (const filter of FOLLOWED[channel]) await type(app, channel, `subscribe filter ${filter}`);
    await type(app, channel, 'budget off');
  }
  await app.pass(MINUTE);
}

function upTo({ random }: Game, most: number): number {
  return Math.floor(random() * (most + 1));
}

function publish(game: Game): void {
  const { app, random, published } = game;
  for (let left = 1 + upTo(game, 7); left > 0; left--) {
    const some = FILTERS.filter(() => random() < 0.5);
    const filters = some.length > 0 ? some : [101];
    published.set(app.marketplace.publishProject(filters).ciphertext, filters);
    app.clock.moveBy(upTo(game, 700));
  }
}

function makeTrouble(game: Game): void {
  const { marketplace, slack } = game.app;
  const effect = TROUBLE[upTo(game, TROUBLE.length - 1)];
  if (effect) marketplace.injectFault({ path: '/filters/*/projects' }, effect, 1 + upTo(game, 2));
  const refusal = SLACK_TROUBLE[upTo(game, SLACK_TROUBLE.length - 1)];
  if (refusal && game.random() < 0.3) slack.injectFault('chat.postMessage', refusal, 1 + upTo(game, 1));
}

async function killSomewhere(game: Game): Promise<void> {
  const { app } = game;
  app.clock.moveBy(upTo(game, 12) * SECOND);
  for (let turn = upTo(game, LONGEST_LIFE); turn > 0; turn--) await setImmediate();
  await app.kill();
  app.clock.moveBy(upTo(game, 10) * SECOND);
  await app.start();
}

async function comeToRest(game: Game): Promise<CreditsPlayed> {
  const { app } = game;
  const end = app.clock.now() + CALM_AT_MOST_MS;
  // These commands make the app send requests, which settle what lost answers have cost.
  await type(app, 'web', 'subscribe filter 101');
  let counted = await count(game);
  while (counted.missing > 0 && app.clock.now() < end) {
    await app.pass(3 * MINUTE);
    counted = await count(game);
  }
  await app.pass(3 * MINUTE);
  return count(game);
}

interface Books {
  readonly budgets: readonly BudgetRecord[];
  readonly posts: readonly Post[];
}

/** As a crash would leave them now. */
async function readBooks({ data, slack }: RunningApp): Promise<Books> {
  const team = TeamId.parse(slack.team.id);
  const at = { disk: data.disk, folder: await data.copyFolder() };
  const store = await openJournalStore({
    ...at,
    team,
    collections: allCollections,
    log: silentLog,
    clock: machineClock,
  });
  try {
    return await store.read(async (tx) => ({
      budgets: await listAllValues(tx, budgetRecords),
      posts: await listAllValues(tx, posts),
    }));
  } finally {
    await store.close();
  }
}

/** The project of a card, by its post's ID. */
const CARD = /^card:[^:]+:(.+)$/u;

function cardsIn({ app }: Game, books: Books, channel: string): readonly string[] {
  const { id } = app.slack.channel(channel);
  const summarised = books.posts.flatMap(({ channel: of, state, content }) =>
    of === id && state === 'bundled' && content.kind === 'card' ? [String(content.project)] : [],
  );
  const told = app.slack
    .messages(channel)
    .flatMap(({ metadata }) => CARD.exec(String(metadata?.event_payload['post']))?.[1] ?? []);
  return [...told, ...summarised];
}

async function count(game: Game): Promise<CreditsPlayed> {
  const { app, published } = game;
  const books = await readBooks(app);
  const delivered = new Set<string>();
  let [due, missing, twice] = [0, 0, 0];
  for (const channel of CHANNELS) {
    const cards = cardsIn(game, books, channel);
    const distinct = new Set(cards);
    twice += cards.length - distinct.size;
    for (const card of distinct) delivered.add(card);
    const follows = (filters: readonly number[]) =>
      FOLLOWED[channel].some((filter) => filters.includes(filter));
    const wanted = [...published].filter(([, filters]) => follows(filters));
    due += wanted.length;
    missing += wanted.filter(([key]) => !distinct.has(key)).length;
  }
  return {
    published: published.size,
    delivered: delivered.size,
    due,
    missing,
    twice,
    charged: app.marketplace.consumedCredits().total,
    onBudgets: books.budgets.reduce((sum, { settled }) => sum + settled, 0),
  };
}
