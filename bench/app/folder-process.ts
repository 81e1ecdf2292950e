/** Fills a data folder as the app would, in its own process so its memory is freed at the end. */

import { join } from 'node:path';
import { allCollections } from '../../src/app/collections.ts';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { Proposal } from '../../src/marketplace/schema.ts';
import { createProposalMirror } from '../../src/proposals/mirror.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { createDiskCache } from '../../src/storage/shelves/disk-cache.ts';
import type { Store } from '../../src/storage/store.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { answerQuestions } from '../contender.ts';
import { createWriter, generateProposals } from '../generate-proposals.ts';
import { fillStore, outcomesFeed } from './fill-store.ts';
import { type FolderSize, profile, team } from './place.ts';

const random = seededRandom(11);

/** Copies made-up proposals page by page, so the mirror's own records are right as well. */
async function copyProposals(folder: string, store: Store, count: number): Promise<void> {
  const list = generateProposals(count, random)
    .map((each) => ({ ...each, profile: { id: profile } }))
    .sort((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  const mirror = createProposalMirror({
    store,
    shelves: createDiskCache({ folder: join(folder, 'proposals'), schema: Proposal, log: silentLog }),
    profiles: { listAllProfileFeeds: async () => [{ feed: outcomesFeed }] },
    marketplace: {
      fetchProposals: async ({ page = 1, limit = 20 }) => ({
        items: structuredClone(list.slice((page - 1) * limit, page * limit)),
        unreadable: 0,
        paging: { total: list.length, page, limit, pages: Math.ceil(list.length / limit) },
      }),
    },
    gate: { status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }) },
    clock: machineClock,
    random,
    log: silentLog,
  });
  const ending = new AbortController();
  const run = mirror.run(ending.signal);
  while (mirror.estimateProgress()[0]?.state !== 'complete') await machineClock.sleep(20);
  ending.abort();
  await run;
}

const answers = {
  fill: async ({ folder, size }: { readonly folder: string; readonly size: FolderSize }): Promise<void> => {
    const store = await openJournalStore({
      folder,
      team,
      collections: allCollections,
      log: silentLog,
      clock: machineClock,
    });
    await fillStore(store, size.seen, machineClock.now(), createWriter(random));
    await copyProposals(folder, store, size.proposals);
    await store.close();
  },
};
export type FolderProcess = typeof answers;

answerQuestions(answers);
