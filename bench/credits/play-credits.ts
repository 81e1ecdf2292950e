/**
 * The whole app beside a simulated marketplace and Slack: what its projects cost while all kinds of things
 * fail.
 */
import { setImmediate } from 'node:timers/promises';
import { MINUTE, type RandomSource, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { SLACK_TROUBLE, TROUBLE } from '../../test/features/books-troubles.ts';
import { type Books, readBooks } from '../../test/features/read-books.ts';
import { startWorld, type World } from '../../test/features/world.ts';
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
  readonly world: World;
  readonly random: RandomSource;
  /** Each project with its filters. */
  readonly published: Map<string, readonly number[]>;
}

/** @param kills how often the app is killed, each time after some more projects and faults */
export async function playCredits(seed: number, kills: number): Promise<CreditsPlayed> {
  const world = await startWorld({ seed, requestsPerMinute: 30 });
  try {
    const game: Game = { world, random: seededRandom(seed * 7_919), published: new Map() };
    await settleIn(world);
    for (let kill = 0; kill < kills; kill++) {
      publish(game);
      makeTrouble(game);
      await world.pass(upTo(game, 20) * SECOND);
      await killSomewhere(game);
    }
    world.marketplace.clearFaults();
    return await comeToRest(game);
  } finally {
    await world.stop();
  }
}

async function settleIn(world: World): Promise<void> {
  world.slack.addChannel({ name: 'ops' });
  world.slack.inviteBot('ops');
  for (const id of FILTERS) world.marketplace.addFilter({ id });
  for (const channel of CHANNELS) {
    for (const filter of FOLLOWED[channel]) await world.gig(channel, `subscribe filter ${filter}`);
    await world.gig(channel, 'budget off');
  }
  await world.pass(MINUTE);
}

function upTo({ random }: Game, most: number): number {
  return Math.floor(random() * (most + 1));
}

function publish(game: Game): void {
  const { world, random, published } = game;
  for (let left = 1 + upTo(game, 7); left > 0; left--) {
    const some = FILTERS.filter(() => random() < 0.5);
    const filters = some.length > 0 ? some : [101];
    published.set(world.marketplace.publishProject(filters).ciphertext, filters);
    world.clock.moveBy(upTo(game, 700));
  }
}

function makeTrouble(game: Game): void {
  const { marketplace, slack } = game.world;
  const effect = TROUBLE[upTo(game, TROUBLE.length - 1)];
  if (effect) marketplace.injectFault({ path: '/filters/*/projects' }, effect, 1 + upTo(game, 2));
  const refusal = SLACK_TROUBLE[upTo(game, SLACK_TROUBLE.length - 1)];
  if (refusal && game.random() < 0.3) slack.injectFault('chat.postMessage', refusal, 1 + upTo(game, 1));
}

async function killSomewhere(game: Game): Promise<void> {
  const { world } = game;
  world.clock.moveBy(upTo(game, 12) * SECOND);
  for (let turn = upTo(game, LONGEST_LIFE); turn > 0; turn--) await setImmediate();
  await world.crash();
  world.clock.moveBy(upTo(game, 10) * SECOND);
  await world.restart();
}

async function comeToRest(game: Game): Promise<CreditsPlayed> {
  const { world } = game;
  const end = world.clock.now() + CALM_AT_MOST_MS;
  // These commands make the app send requests, which settle what lost answers have cost.
  await world.gig('web', 'subscribe filter 101');
  let counted = await count(game);
  while (counted.missing > 0 && world.clock.now() < end) {
    await world.pass(3 * MINUTE);
    counted = await count(game);
  }
  await world.pass(3 * MINUTE);
  return count(game);
}

function cardsIn({ world }: Game, books: Books, channel: string): readonly string[] {
  const { id } = world.slack.channel(channel);
  const summarised = books.posts.flatMap(({ channel: of, state, content }) =>
    of === id && state === 'bundled' && content.kind === 'card' ? [String(content.project)] : [],
  );
  return [...world.told(channel), ...summarised];
}

async function count(game: Game): Promise<CreditsPlayed> {
  const { world, published } = game;
  const books = await world.read((tx) => readBooks(tx, TeamId.parse(world.slack.team.id)));
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
    charged: world.marketplace.consumedCredits().total,
    onBudgets: books.budgets.reduce((sum, { settled }) => sum + settled, 0),
  };
}
