/**
 * The mirror beside a server model, on a disk and a clock that tests control. It can be crashed and
 * restarted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, createSleep } from '../../src/clock.ts';
import { ChannelId, TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Proposal } from '../../src/marketplace/schema.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../../src/profiles/records.ts';
import type { ProposalChange, ProposalMirror } from '../../src/proposals/mirror.ts';
import { createProposalMirror } from '../../src/proposals/mirror.ts';
import { createDiskCache } from '../../src/storage/shelves/disk-cache.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { createMemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';
import { ModelServer, profile } from './mirror-server.ts';

const team = TeamId.parse('T1');
const never = new Promise<never>(() => {});

export interface Life {
  readonly mirror: ProposalMirror;
  isDead: boolean;
}

export class MirrorWorld {
  readonly clock = new ManualClock();
  readonly server = new ModelServer(this.clock);
  readonly store = createMemoryStore();
  /** Changes handed over, by all processes. */
  readonly handed: ProposalChange[] = [];
  /** The server's statuses when the first copy of the first profile was complete. */
  copiedThen:
    | { readonly at: number; readonly requests: number; readonly held: ReadonlyMap<number, Proposal> }
    | undefined;
  disk = new MemoryDisk();
  /** The process dies at this commit, counted down; before it takes effect or after. */
  crashAtCommit: { left: number; readonly when: 'before' | 'after' } | undefined;
  /** The next handover fails once. */
  failsHandOver = false;
  #life: Life | undefined;
  readonly #random = seededRandom(1);

  get mirror(): ProposalMirror {
    return this.life.mirror;
  }

  get life(): Life {
    if (!this.#life) throw new Error('not started');
    return this.#life;
  }

  start(): ProposalMirror {
    const life: { isDead: boolean } = { isDead: false };
    const clock = mortalClock(this.clock, life);
    const { disk, server } = this;
    const mirror = createProposalMirror({
      team,
      store: this.#mortalStore(life),
      shelves: createDiskCache({ folder: '/data/proposals', schema: Proposal, log: silentLog, disk }),
      profiles: {
        listAllProfileFeeds: async () => [{ feed: FEED }],
      },
      marketplace: {
        fetchProposals: (query, options) =>
          life.isDead ? never : server.marketplace.fetchProposals(query, options),
      },
      gate: {
        status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }),
      },
      clock,
      random: this.#random,
      log: silentLog,
      onChanges: async (changes) => {
        if (life.isDead) return never;
        if (this.failsHandOver) {
          this.failsHandOver = false;
          throw new Error('the hand-over failed');
        }
        this.handed.push(...changes);
      },
    });
    void mirror.run(new AbortController().signal);
    this.#life = Object.assign(life, { mirror });
    void disk.crashed.then(() => {
      life.isDead = true;
    });
    return mirror;
  }

  /** Kills the process, and starts another from what the disk kept. */
  async restart(): Promise<ProposalMirror> {
    this.life.isDead = true;
    this.crashAtCommit = undefined;
    this.disk = this.disk.restart(this.#random);
    this.server.pending = [];
    const mirror = this.start();
    await this.settle();
    return mirror;
  }

  /** Runs everything that needs no time and no answer. */
  async settle(): Promise<void> {
    for (let n = 0; n < 20; n++) await nextTurn();
  }

  /** Answers one request, if one waits. */
  async answer(): Promise<void> {
    await this.settle();
    this.server.answer();
    await this.settle();
  }

  /** Passes time, with the server answering every request. */
  async calm(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    for (;;) {
      await this.settle();
      if (this.server.pending.length > 0) {
        this.server.answer();
        continue;
      }
      const due = this.clock.nextTimerDueAt();
      if (due === undefined || due > until) break;
      this.clock.moveTo(due);
    }
    this.clock.moveTo(until);
    await this.settle();
  }

  async #sync(): Promise<ProfileSync | undefined> {
    return this.store.read((tx) => tx.get(profileSyncs, profileSyncKey({ team, of: 'proposals', profile })));
  }

  #mortalStore(life: { isDead: boolean }): Store {
    const { store } = this;
    return {
      onCommit: (collections, call) => store.onCommit(collections, call),
      transact: async (work) => {
        const isLast = this.#isLastCommit();
        if (isLast === 'before') life.isDead = true;
        if (life.isDead) return never;
        const result = await store.transact(work);
        await this.#noticeCopied();
        if (isLast === 'after') life.isDead = true;
        return life.isDead ? never : result;
      },
      read: (work) => (life.isDead ? never : store.read(work)),
      close: () => store.close(),
    };
  }

  async #noticeCopied(): Promise<void> {
    const copiedAt = (await this.#sync())?.copy?.copiedAt;
    if (this.copiedThen || copiedAt === undefined) return;
    const { length } = this.server.answered;
    this.copiedThen = { at: copiedAt, requests: length, held: new Map(byIds(this.wholes())) };
  }

  /** Whole proposals, newest first. */
  wholes(): readonly Proposal[] {
    return [...this.mirror.listNewestFirst()].flatMap(({ id }) => this.mirror.get(id) ?? []);
  }

  #isLastCommit(): 'before' | 'after' | undefined {
    if (!this.crashAtCommit) return undefined;
    this.crashAtCommit.left -= 1;
    return this.crashAtCommit.left < 0 ? this.crashAtCommit.when : undefined;
  }
}

function mortalClock(clock: Clock, life: { isDead: boolean }): Clock {
  const after: Clock['runAfter'] = (ms, run) => clock.runAfter(ms, () => life.isDead || run());
  return {
    now: () => clock.now(),
    monotonicNow: () => clock.monotonicNow(),
    runAfter: after,
    sleep: createSleep(after),
  };
}

const FEED = {
  team,
  channel: ChannelId.parse('C1'),
  kind: 'outcomes' as const,
  profile,
  by: UserId.parse('U1'),
  createdAt: 0,
  startsAt: 0,
};

function byIds(proposals: Iterable<Proposal>): [number, Proposal][] {
  return [...proposals].map((each) => [each.id, each]);
}

/** Sorted by id, for comparisons. */
export function byId(proposals: Iterable<Proposal>): readonly Proposal[] {
  return [...proposals].sort((a, b) => a.id - b.id);
}
