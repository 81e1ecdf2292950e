/** Auto bidding setups that are close to their daily limit. */
import { HOUR, type Instant, isRecent, MINUTE, SECOND } from '../clock.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import type { SetupList } from '../setups/setup-service.ts';
import type { DigestsContext } from './context.ts';
import type { DigestFacts } from './facts.ts';

const NEAR = 0.8;
const MOST = 30;
const FRESH_MS = 15 * MINUTE;
/** Older counters may be from another day. */
const OLDEST_MS = 6 * HOUR;
/** The longest that a digest waits for fresh setups. */
const PATIENCE_MS = 5 * SECOND;

type Row = DigestFacts['setups'][number];

/** Closest to the limit first. Pure. */
export function listSetupsNearDailyLimit(setups: readonly BiddingSetup[]): Row[] {
  return setups
    .flatMap(({ id, name, sentToday, dailyLimit }) =>
      dailyLimit && sentToday !== undefined && sentToday >= NEAR * dailyLimit
        ? [{ id, name, sentToday, dailyLimit }]
        : [],
    )
    .sort((a, b) => b.sentToday / b.dailyLimit - a.sentToday / a.dailyLimit || a.id - b.id)
    .slice(0, MOST);
}

/**
 * Reads fresh setups if the marketplace answers in time; otherwise the stored ones, unless they are too old.
 */
async function readSetups(
  { setups, clock, log }: Pick<DigestsContext, 'setups' | 'clock' | 'log'>,
  now: Instant,
): Promise<readonly BiddingSetup[]> {
  const patience = new AbortController();
  const fresh = setups.refreshIfOlderThan(FRESH_MS, 'tracking').catch((thrown: unknown) => {
    log.info("Couldn't read setups for a digest", { error: thrown });
  });
  const enough = clock.sleep(PATIENCE_MS, patience.signal).catch(() => undefined);
  const read = (await Promise.race([fresh, enough])) as SetupList | undefined;
  patience.abort();
  const list = read ?? (await setups.readStoredSetups());
  return isRecent(list.readAt, OLDEST_MS, now) ? list.setups : [];
}

/** @throws StorageError */
export type SetupsReader = () => Promise<readonly BiddingSetup[]>;

/**
 * Shares one read of the setups among digests created in the same run. Otherwise each of them would wait for
 * an unresponsive marketplace.
 */
export function createSharedSetupsReader(
  context: Pick<DigestsContext, 'setups' | 'clock' | 'log'>,
): SetupsReader {
  let read: ReturnType<SetupsReader> | undefined;
  return () => {
    read ??= readSetups(context, context.clock.now());
    return read;
  };
}
