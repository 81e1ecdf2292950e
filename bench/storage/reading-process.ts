/** The least that a start must do to have a folder's records in memory: read them and parse every line. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { answerQuestions } from '../contender.ts';

const GENERATION = /^(?:snapshot|journal)-(\d+)\.jsonl$/u;

/** The newest snapshot, the journals after it, and all files of the folders inside. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const snapshots = files.map((file) => /snapshot-(\d+)\.jsonl$/u.exec(file)?.[1] ?? '');
  const newest = snapshots.toSorted().at(-1) ?? '';
  return files.filter((file) => {
    const generation = GENERATION.exec(file.slice(folder.length + 1))?.[1];
    return generation === undefined ? file.endsWith('l') : generation >= newest;
  });
}

const answers = {
  /** @returns how long it took in ms, with all values kept until the end */
  read: async (folder: string): Promise<number> => {
    const files = await filesOf(folder);
    const began = performance.now();
    const values: unknown[] = [];
    for (const file of files)
      for await (const line of createInterface({ input: createReadStream(file) }))
        if (line !== '') values.push(JSON.parse(line.slice(line.search(/[[{]/u))));
    if (values.length === 0) throw new Error(`nothing to read in ${folder}`);
    return performance.now() - began;
  },
};
export type ReadingProcess = typeof answers;

answerQuestions(answers);
