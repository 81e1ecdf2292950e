/** Reads many records without holding up other work; and the outcomes of the team's bids, by project. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { type Bid, bids, jobs } from '../bidding/records.ts';
import type { Instant } from '../clock.ts';
import { cards } from '../feed/records.ts';
import type { ProjectKey } from '../ids.ts';
import type { Collection, ListOptions, ListPosition, ReadTransaction, Store } from '../storage/store.ts';
import type { ProjectProgress } from './count-steps.ts';
import { decideBidProgress, decideJobProgress, type ProjectBid } from './decide-progress.ts';

/** A page takes about 1 ms, or 10 ms for packed records. */
const PAGE = 100;

/**
 * The last `most` records of a range, newest first, in pages between which other work runs.
 * @returns isCut: there are more, older ones
 */
export async function readNewest<T>(
  store: Pick<Store, 'read'>,
  collection: Collection<T>,
  range: Pick<ListOptions, 'index' | 'prefix' | 'from' | 'to'>,
  most: number,
) {
  const values: T[] = [];
  let after: ListPosition | undefined;
  for (;;) {
    const limit = Math.min(PAGE, most + 1 - values.length);
    const page = { ...range, reverse: true, limit, after };
    const entries = await store.read((tx) => tx.list(collection, page));
    for (const { value } of entries) values.push(value);
    if (values.length > most) return { values: values.slice(0, most), isCut: true };
    after = entries.at(-1)?.position;
    if (entries.length < limit || !after) return { values, isCut: false };
    await nextTurn();
  }
}

/** Takes `items` in portions of `size`, between which other work runs. */
export async function takeInPages<T>(
  items: readonly T[],
  take: (page: readonly T[]) => Promise<void> | void,
  size = PAGE,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    await take(items.slice(from, from + size));
  }
}

/** More than a team sends in 90 days. */
const MOST_BIDS = 5_000;

async function findPlace(
  tx: ReadTransaction,
  { project, channel }: Pick<Bid, 'project' | 'channel'>,
  marketplaceJobId: string | undefined,
) {
  const { keys } = await findProjectAliases(tx, { project, marketplaceJobId });
  const found = await tx.getMany(
    cards,
    keys.map((key) => [channel, key]),
  );
  return { channel, keys, hasCard: found.some((card) => card !== undefined) };
}

export type ProjectBids = Awaited<ReturnType<typeof readProjectBids>>;

/**
 * Bids of Gigdesk since `from`, and jobs created elsewhere that it knows.
 * @returns byProject: by every name of the project · isCut: older ones were left out
 */
export async function readProjectBids({ store }: { readonly store: Store }, from: Instant) {
  const range = { index: 'byAge', from: [from] } as const;
  const newestBids = await readNewest(store, bids, range, MOST_BIDS);
  const newestJobs = await readNewest(store, jobs, range, MOST_BIDS);
  const byProject = new Map<ProjectKey, ProjectBid[]>();
  const add = (place: Awaited<ReturnType<typeof findPlace>>, progress: ProjectProgress) => {
    const { channel, keys, hasCard } = place;
    for (const key of keys)
      byProject.set(key, [...(byProject.get(key) ?? []), { channel, hasCard, progress }]);
  };
  await takeInPages(newestBids.values, (page) =>
    store.read(async (tx) => {
      const keys = page.flatMap(({ job }) => (job === undefined ? [] : [[job]]));
      const found = keys.length > 0 ? await tx.getMany(jobs, keys) : [];
      const jobsOfPage = new Map(found.flatMap((job) => (job ? [[job.id, job]] : [])));
      for (const bid of page) {
        const job = bid.job === undefined ? undefined : jobsOfPage.get(bid.job);
        add(await findPlace(tx, bid, bid.request.marketplaceJobId), decideBidProgress(bid, job));
      }
    }),
  );
  const others = newestJobs.values.filter(({ bid }) => bid === undefined);
  await takeInPages(others, (page) =>
    store.read(async (tx) => {
      for (const job of page) {
        const { project, channel, marketplaceJobId } = job;
        if (project === undefined) continue;
        add(await findPlace(tx, { project, channel }, marketplaceJobId), decideJobProgress(job));
      }
    }),
  );
  return { byProject, isCut: newestBids.isCut || newestJobs.isCut };
}
