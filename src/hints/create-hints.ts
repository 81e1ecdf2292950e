/** Keeps the secret, checks it, and passes hints on to the feed; see hints.ts for the contract. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { recordAuditEntry } from '../audit/audit.ts';
import type { Clock, RandomBytes } from '../clock.ts';
import type { FeedService } from '../feed/feed.ts';
import type { TeamId, UserId } from '../ids.ts';
import { localTime } from '../schedule/local-time.ts';
import { Secret } from '../secret.ts';
import { readWhenChanged, type Store, type Transaction } from '../storage/store.ts';
import { type HintCounts, type HintServer, type HintService, makeHintSecret } from './hints.ts';
import { type HintSecret, type HintTally, hintSecrets, hintTallies } from './records.ts';

interface HintsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly feed: Pick<FeedService, 'hintFilters'>;
  /** IANA name. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly server: HintServer;
  readonly counters?: { countHints(counts: HintCounts): void };
}

/** Digests have one length, whatever was sent. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** @param later of the same team */
function addTallies(earlier: HintTally | undefined, later: HintTally): HintTally {
  return earlier?.day === later.day ? { ...later, count: earlier.count + later.count } : later;
}

export function createHintService(context: HintsContext): HintService {
  const { team, store, feed, timezone, clock, randomBytes, server, counters } = context;
  const readSecret = readWhenChanged(store, [hintSecrets], (tx) => tx.get(hintSecrets, [team]));
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
    const made: HintSecret = { team, secret, version, madeAt: at, madeBy: by };
    await tx.put(hintSecrets, [team], made);
    await recordAuditEntry(tx, { team, at, by, act: { kind: 'hint-secret', change } });
    return made;
  }

  return {
    server,

    async isSecret(text) {
      const current = await readSecret();
      const wanted = current ? digestOf(current.secret) : nothing;
      return timingSafeEqual(digestOf(text), wanted);
    },

    takeHints(filters) {
      const sum = { accepted: 0, repeated: 0, ignored: 0 };
      for (const filter of filters) {
        const { accepted, repeated, ignored } = feed.hintFilters([filter]);
        sum.accepted += accepted;
        sum.repeated += repeated;
        sum.ignored += ignored;
        const last = { team, lastAt: clock.now(), lastFilter: filter, wasFollowed: ignored === 0 };
        unsaved = addTallies(unsaved, { ...last, day: today(), count: 1 });
      }
      counters?.countHints(sum);
      return sum;
    },

    async openAddress(by) {
      const found =
        (await readSecret()) ??
        (await store.transact(
          async (tx) =>
            (await tx.get(hintSecrets, [team])) ?? replaceSecret(tx, { by, change: 'make', version: 1 }),
        ));
      return { secret: new Secret(found.secret), version: found.version };
    },

    rotateSecret: (version, by) =>
      store.transact(async (tx) => {
        const current = await tx.get(hintSecrets, [team]);
        if (current?.version !== version) return false;
        await replaceSecret(tx, { by, change: 'rotate', version: version + 1 });
        return true;
      }),

    async readSummary() {
      const stored = await store.read((tx) => tx.get(hintTallies, [team]));
      const tally = unsaved ? addTallies(stored, unsaved) : stored;
      if (!tally) return { today: 0 };
      const { day, count, lastAt: at, lastFilter: filter, wasFollowed } = tally;
      return { today: day === today() ? count : 0, last: { at, filter, wasFollowed } };
    },

    job: {
      name: 'hints',
      async runIfDue() {
        const saving = unsaved;
        if (!saving) return;
        await store.transact(async (tx) => {
          const stored = await tx.get(hintTallies, [team]);
          await tx.put(hintTallies, [team], addTallies(stored, saving));
        });
        // Hints may have come meanwhile.
        unsaved = unsaved === saving ? undefined : subtract(unsaved, saving);
      },
    },
  };
}

function subtract(all: HintTally | undefined, saved: HintTally): HintTally | undefined {
  return all?.day === saved.day ? { ...all, count: all.count - saved.count } : all;
}
