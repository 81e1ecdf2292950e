/**
 * Hints: outside tools say that a filter has a new project, so that it's read next. Keeps the secret of their
 * address, checks it, and passes hints on to the feed. Hints themselves are in memory only.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant, RandomBytes } from '../clock.ts';
import type { FeedService } from '../feed/create-feed.ts';
import type { FeedContext } from '../feed/feed.ts';
import type { HintCounts } from '../feed/filter-hints.ts';
import { FilterId, parseSlackTeam, type TeamId, UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import { localTime } from '../schedule/local-time.ts';
import { Secret } from '../secret.ts';
import { collection, readWhenChanged, type Transaction } from '../storage/store.ts';

const HintSecret = z.object({
  /** What follows `/hooks/`. Readable, because the form shows it: it allows nothing but hints. */
  secret: z.string(),
  /** Counts the secrets, from 1. */
  version: z.number(),
  madeAt: z.number(),
  madeBy: UserId,
});
export type HintSecret = z.infer<typeof HintSecret>;

export const hintSecrets = collection({ name: 'hint-secrets', schema: HintSecret, key: () => [] });

const HintTally = z.object({
  /** Local day of the workspace's time zone, such as `2026-11-27`. */
  day: z.string(),
  /** Hints of that day. */
  count: z.number(),
  lastAt: z.number(),
  lastFilter: FilterId,
  /** A channel follows the filter, and isn't paused. */
  wasFollowed: z.boolean(),
});
export type HintTally = z.infer<typeof HintTally>;

export const hintTallies = collection({ name: 'hint-tallies', schema: HintTally, key: () => [] });

/** Where tools send hints: this and the secret. */
export const HOOKS_PATH = '/hooks/';

/** 192 bits, or 32 characters. */
const SECRET_BYTES = 24;
const SECRET = /^(T[A-Z0-9]{1,40})-[\w-]{32}$/u;

/** The secret names its workspace, so that any replica finds the right one. */
export function makeHintSecret(team: TeamId, randomBytes: RandomBytes): string {
  return `${team}-${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** @param secret untrusted input. @returns undefined for what can't be a secret */
export function findTeamOfSecret(secret: string): TeamId | undefined {
  return parseSlackTeam(SECRET.exec(secret)?.[1]);
}

export interface HintAddress {
  readonly secret: Secret;
  /** Counts the workspace's secrets. */
  readonly version: number;
}

export interface HintSummary {
  /** In the workspace's time zone. */
  readonly today: number;
  readonly last?: { readonly at: Instant; readonly filter: FilterId; readonly wasFollowed: boolean };
}

/** How tools reach this process, as far as it knows. */
export interface HintServer {
  /** Without a slash at the end. Missing: only the operator knows it. */
  readonly publicUrl?: string;
  readonly port: number;
}

interface HintsContext extends Pick<FeedContext, 'store' | 'timezone' | 'clock'> {
  readonly team: TeamId;
  readonly feed: Pick<FeedService, 'hintFilters'>;
  readonly randomBytes: RandomBytes;
  readonly server: HintServer;
  readonly counters?: { countHints(counts: HintCounts): void };
}

/** Of one length, whatever was sent. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** @param later of the same team */
function addTallies(earlier: HintTally | undefined, later: HintTally): HintTally {
  return earlier?.day === later.day ? { ...later, count: earlier.count + later.count } : later;
}

export type HintService = ReturnType<typeof createHintService>;

/** What an HTTP request may do. */
export type HintIntake = Pick<HintService, 'isSecret' | 'takeHints'>;

export function createHintService(context: HintsContext) {
  const { team, store, feed, timezone, clock, randomBytes, server, counters } = context;
  const readSecret = readWhenChanged(store, [hintSecrets], (tx) => tx.get(hintSecrets, []));
  /** Compared instead of a secret that doesn't exist. */
  const nothing = randomBytes(32);
  /** Not stored yet. */
  let unsaved: HintTally | undefined;
  const today = () => localTime(clock.now(), timezone).day;

  async function replaceSecret(
    tx: Transaction,
    { by, change, version }: { by: UserId; change: 'make' | 'rotate'; version: number },
  ): Promise<HintSecret> {
    const at = clock.now();
    const secret = makeHintSecret(team, randomBytes);
    const made: HintSecret = { secret, version, madeAt: at, madeBy: by };
    await tx.put(hintSecrets, made);
    await recordAuditEntry(tx, { at, by, act: { kind: 'hint-secret', change } });
    return made;
  }

  return {
    server,

    /** Takes equally long for any text. */
    async isSecret(text: string): Promise<boolean> {
      const current = await readSecret();
      const wanted = current ? digestOf(current.secret) : nothing;
      return timingSafeEqual(digestOf(text), wanted);
    },

    /** Returns at once; the filters are read later, if at all. Nothing is stored for it. */
    takeHints(filters: readonly FilterId[]): HintCounts {
      const sum = { accepted: 0, repeated: 0, ignored: 0 };
      for (const filter of filters) {
        const { accepted, repeated, ignored } = feed.hintFilters([filter]);
        sum.accepted += accepted;
        sum.repeated += repeated;
        sum.ignored += ignored;
        const last = { lastAt: clock.now(), lastFilter: filter, wasFollowed: ignored === 0 };
        unsaved = addTallies(unsaved, { ...last, day: today(), count: 1 });
      }
      counters?.countHints(sum);
      return sum;
    },

    /** Makes the secret if there is none. @param by the admin who sees it */
    async openAddress(by: UserId): Promise<HintAddress> {
      const found =
        (await readSecret()) ??
        (await store.transact(
          async (tx) =>
            (await tx.get(hintSecrets, [])) ?? replaceSecret(tx, { by, change: 'make', version: 1 }),
        ));
      return { secret: new Secret(found.secret), version: found.version };
    },

    /**
     * Replaces the secret: the old one stops working at once.
     * @param version the one that the person saw
     * @returns false: another person has replaced that one
     */
    rotateSecret: (version: number, by: UserId): Promise<boolean> =>
      store.transact(async (tx) => {
        const current = await tx.get(hintSecrets, []);
        if (current?.version !== version) return false;
        await replaceSecret(tx, { by, change: 'rotate', version: version + 1 });
        return true;
      }),

    /** A restart may lose the last minute. */
    async readSummary(): Promise<HintSummary> {
      const stored = await store.read((tx) => tx.get(hintTallies, []));
      const tally = unsaved ? addTallies(stored, unsaved) : stored;
      if (!tally) return { today: 0 };
      const { day, count, lastAt: at, lastFilter: filter, wasFollowed } = tally;
      return { today: day === today() ? count : 0, last: { at, filter, wasFollowed } };
    },

    /** Every minute: stores the counts, if hints came. */
    job: {
      name: 'hints',
      async runIfDue() {
        const saving = unsaved;
        if (!saving) return;
        await store.transact(async (tx) =>
          tx.put(hintTallies, addTallies(await tx.get(hintTallies, []), saving)),
        );
        // Hints may have come meanwhile.
        if (unsaved === saving) unsaved = undefined;
        else if (unsaved?.day === saving.day) unsaved = { ...unsaved, count: unsaved.count - saving.count };
      },
    } satisfies ScheduledJob,
  };
}
