/** Gigdesk's own store in its own process. */
import { performance } from 'node:perf_hooks';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { answerQuestions } from '../contender.ts';
import { measureIdleStall, watchStalls } from '../watch-stalls.ts';
import type { StorageContender } from './protocol.ts';
import { makeThing, team, things } from './records.ts';
import { timeCommits } from './time-commits.ts';

const FILLED_AT_ONCE = 2_000;
const IDLE_MS = 500;

const [folder = '', sizeText = '0'] = process.argv.slice(2);
const size = Number(sizeText);
let store: Store | undefined;
let changes = 0;

function open(): Promise<Store> {
  return openJournalStore({ folder, team, collections: [things], log: silentLog, clock: machineClock });
}

function opened(): Store {
  if (!store) throw new Error('not open');
  return store;
}

/** Keys spread over the whole collection, out of order. */
async function change(): Promise<void> {
  changes += 1;
  const id = (changes * 7_919) % size;
  const thing = makeThing(id, `changed ${changes}`);
  await opened().transact((tx) => tx.put(things, thing));
}

const answers: StorageContender = {
  fill: async (count) => {
    const filling = await open();
    for (let from = 0; from < count; from += FILLED_AT_ONCE)
      await filling.transact(async (tx) => {
        for (let id = from; id < Math.min(count, from + FILLED_AT_ONCE); id++)
          await tx.put(things, makeThing(id, 'new'));
      });
    await filling.close();
  },
  open: async () => {
    const idleStallMs = await measureIdleStall(IDLE_MS);
    const stalls = watchStalls();
    const began = performance.now();
    store = await open();
    const tookMs = performance.now() - began;
    const stallMs = stalls();
    return { tookMs, stallMs, idleStallMs, residentMb: process.memoryUsage().rss / 1e6 };
  },
  ...timeCommits(change),
  close: async () => {
    const stalls = watchStalls();
    const began = performance.now();
    await opened().close();
    return { tookMs: performance.now() - began, stallMs: stalls() };
  },
};
answerQuestions(answers);
