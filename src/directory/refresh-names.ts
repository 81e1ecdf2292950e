/** Reads names from the list endpoints. Only the paths of these endpoints are documented. */
import { type Clock, DAY, HOUR, type Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient, NamedEntityKind } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { Store } from '../storage/store.ts';
import { directoryRefreshTimes, type NameDirectory } from './directory.ts';

interface RefreshContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: Pick<MarketplaceClient, 'fetchNamedEntities'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The list is missing or not accessible: 404, 403, 400 or 405. That won't change within the hour. */
const ABSENT: ReadonlySet<MarketplaceErrorCode> = new Set(['not-found', 'forbidden', 'bad-request']);

const KINDS: readonly NamedEntityKind[] = ['profile', 'organization', 'filter'];

export function createNameRefresh(
  context: RefreshContext,
  learn: NameDirectory['recordNames'],
): NameDirectory['refreshNames'] {
  const { team, store, marketplace, clock, log } = context;
  const inFlight = new Map<NamedEntityKind, Promise<void>>();

  async function isDue(kind: NamedEntityKind): Promise<boolean> {
    const last = await store.read((tx) => tx.get(directoryRefreshTimes, [team, kind]));
    const now = clock.now();
    // A request time in the future comes from a clock that was wrong.
    return !last || last.nextAt <= now || last.askedAt > now;
  }

  async function ask(kind: NamedEntityKind): Promise<void> {
    if (!(await isDue(kind))) return;
    const asked = await marketplace.fetchNamedEntities(kind, { lane: 'sync' }).then(
      (records) => ({ records, pauseMs: HOUR }),
      (thrown: unknown) => {
        log.info("Couldn't read a list of names", { kind, error: asError(thrown) });
        return { records: [], pauseMs: isAbsent(thrown) ? DAY : HOUR };
      },
    );
    const at: Instant = clock.now();
    await store.transact(async (tx) => {
      const learned = asked.records.map((record) => ({ ...record, kind }));
      await learn(tx, learned, at);
      const next = { team, kind, askedAt: at, nextAt: at + asked.pauseMs };
      await tx.put(directoryRefreshTimes, [team, kind], next);
    });
  }

  function askOnce(kind: NamedEntityKind): Promise<void> {
    const asking =
      inFlight.get(kind) ??
      ask(kind)
        .catch((thrown: unknown) => log.error("Couldn't store names", { error: asError(thrown) }))
        .finally(() => inFlight.delete(kind));
    inFlight.set(kind, asking);
    return asking;
  }

  return async (kinds = KINDS) => {
    for (const kind of kinds) await askOnce(kind);
  };
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof MarketplaceError && ABSENT.has(thrown.code);
}
