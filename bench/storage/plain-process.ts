/** The baselines of the store: a bare append with fdatasync, and lowdb with its own adapter. */
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { answerQuestions } from '../contender.ts';
import type { StorageContender } from './protocol.ts';
import { makeThing, type Thing } from './records.ts';
import { timeCommits } from './time-commits.ts';

const [folder = '', sizeText = '0', kind] = process.argv.slice(2);
const size = Number(sizeText);
let changes = 0;

interface Plain {
  fill(count: number): Promise<void>;
  open(): Promise<void>;
  change(id: number, thing: Thing): Promise<void>;
  close(): Promise<void>;
}

/** The least work for a durable change: a line as long as the journal's. */
function appender(): Plain {
  let file: FileHandle | undefined;
  return {
    fill: async () => undefined,
    open: async () => {
      file = await openFile(join(folder, 'bare.jsonl'), 'a');
    },
    change: async (id, thing) => {
      const change = { sequence: changes, durable: changes - 1, changes: [['things', [id], thing]] };
      await file?.write(Buffer.from(`01234567 ${JSON.stringify(change)}\n`));
      await file?.datasync();
    },
    close: async () => file?.close(),
  };
}

function lowdb(): Plain {
  const db = new Low<{ things: Record<string, Thing> }>(new JSONFile(join(folder, 'lowdb.json')), {
    things: {},
  });
  return {
    fill: async (count) => {
      for (let id = 0; id < count; id++) db.data.things[`T1:${id}`] = makeThing(id, 'new');
      await db.write();
    },
    open: () => db.read(),
    change: async (id, thing) => {
      db.data.things[`T1:${id}`] = thing;
      await db.write();
    },
    close: async () => undefined,
  };
}

const plain = kind === 'lowdb' ? lowdb() : appender();

function change(): Promise<void> {
  changes += 1;
  const id = (changes * 7_919) % size;
  return plain.change(id, makeThing(id, `changed ${changes}`));
}

const answers: StorageContender = {
  fill: (count) => plain.fill(count),
  open: async () => {
    const began = performance.now();
    await plain.open();
    const tookMs = performance.now() - began;
    return { tookMs, stallMs: 0, idleStallMs: 0, residentMb: process.memoryUsage().rss / 1e6 };
  },
  ...timeCommits(change),
  close: async () => {
    const began = performance.now();
    await plain.close();
    return { tookMs: performance.now() - began, stallMs: 0 };
  },
};
answerQuestions(answers);
