/** Whatever people, filters and Slack do: a person gets a project at most once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { seenProjectKey, seenProjects } from '../../src/feed/records.ts';
import type { FollowService } from '../../src/follows/follows.ts';
import { createFollowService } from '../../src/follows/follows.ts';
import { followMatches } from '../../src/follows/records.ts';
import { ChannelId, FilterId, ProjectKey, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime } from '../pass-time.ts';
import { listed, NOW, TEAM } from '../slack/samples.ts';
import { storedPosts } from '../stored-posts.ts';

const USERS = ['U00000001', 'U00000002'].map((it) => UserId.parse(it));
const CHANNELS = ['C00000001', 'C00000002'].map((it) => ChannelId.parse(it));
const FILTERS = [7, 8].map((it) => FilterId.parse(it));
const PROJECTS = ['~01', '~02', '~03'].map((it) => ProjectKey.parse(it));

const who = fc.constantFrom(...USERS);
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('find' as const),
      channel: fc.constantFrom(...CHANNELS),
      filter: fc.constantFrom(...FILTERS),
      project: fc.constantFrom(...PROJECTS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('follow' as const),
      user: who,
      filter: fc.option(fc.constantFrom(...FILTERS), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unfollow' as const), user: who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('mute' as const),
      user: who,
      muted: fc.constantFrom(undefined, undefined, {}, { until: NOW + HOUR }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      user: who,
      channel: fc.constantFrom(...CHANNELS),
      isIn: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('slack' as const), isDown: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(100, MINUTE, 11 * MINUTE, 13 * HOUR),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

type Kind = Action['do'];
type Of<K extends Kind> = Extract<Action, { do: K }>;

/** People, filters and Slack around one store; restarts keep the store. */
class Play {
  readonly clock = new ManualClock(NOW);
  readonly store = createMemoryStore();
  isDown = false;
  readonly #members = new Map(USERS.map((user) => [user, new Set(CHANNELS)]));
  #service!: FollowService;
  #ending = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  start(): void {
    const { store, clock } = this;
    this.#ending = new AbortController();
    this.#service = createFollowService({
      team: TEAM,
      store,
      clock,
      log: silentLog,
      readMembership: async (user) =>
        this.isDown ? undefined : { isMember: true, channels: new Set(this.#members.get(user)) },
    });
    this.#ended = this.#service.run(this.#ending.signal);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
  }

  storeProjects(): Promise<void> {
    return this.store.transact(async (tx) => {
      for (const key of PROJECTS)
        await tx.put(seenProjects, seenProjectKey(TEAM, key), {
          team: TEAM,
          project: listed({ key }),
          filters: FILTERS,
          firstSeenAt: NOW,
        });
    });
  }

  readonly does: { readonly [K in Kind]: (action: Of<K>) => Promise<unknown> } = {
    find: (found) => this.#find(found),
    follow: ({ user, filter }) => this.#service.follow(user, { rules: '', ...(filter ? { filter } : {}) }),
    unfollow: ({ user }) => this.#service.unfollow(user, 'all'),
    mute: ({ user, muted }) => this.#service.setMuted(user, muted),
    move: async ({ user, channel, isIn }) => this.#members.get(user)?.[isIn ? 'add' : 'delete'](channel),
    slack: async ({ isDown }) => {
      this.isDown = isDown;
    },
    wait: ({ ms }) => passTime(this.clock, ms),
    restart: async () => {
      await this.stop();
      this.start();
    },
  };

  /** As the feed does while it stores a page. */
  async #find({ channel, filter, project }: Of<'find'>): Promise<void> {
    const { projectFollowers } = this.#service;
    await this.store.transact(async (tx) => {
      const at = this.clock.now();
      if (await projectFollowers.hasAny(tx))
        await projectFollowers.noteFound(tx, { project, filter, channels: [channel], at, since: at });
    });
  }

  async listMessages(): Promise<string[]> {
    const sent = await storedPosts(this.store, TEAM, () => true);
    return sent.flatMap(({ channel, content }) => {
      if (content.kind === 'followed-project') return [`${channel} ${content.project}`];
      return content.kind === 'followed-list'
        ? content.items.map(({ project }) => `${channel} ${project}`)
        : [];
    });
  }
}

function act<K extends Kind>(play: Play, action: Of<K> & { do: K }): Promise<unknown> {
  return play.does[action.do](action);
}

/** By all plays. */
let sent = 0;

async function playAll(actions: readonly Action[]): Promise<void> {
  const play = new Play();
  await play.storeProjects();
  play.start();
  for (const user of USERS) await play.does.follow({ do: 'follow', user, filter: undefined });
  for (const each of actions) await act(play, each);
  await passTime(play.clock, 26 * HOUR);
  await play.stop();
  const all = await play.listMessages();
  sent += all.length;
  expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
  // Nothing waits forever.
  const left = await play.store.read((tx) =>
    tx.list(followMatches, { index: 'byUser', prefix: [TEAM], limit: 10 }),
  );
  if (!play.isDown) expect(left).toEqual([]);
}

it('holds for any play', async () => {
  sent = 0;
  await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), playAll), {
    numRuns: 20,
  });
  // Plays in which nothing happens would prove nothing.
  expect(sent).toBeGreaterThan(20);
}, 120_000);
