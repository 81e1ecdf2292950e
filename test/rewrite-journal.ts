/** Changes a data folder's newest records with right checksums, as someone who knows the format. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatCheckedLine, readCheckedLine } from '../src/storage/disk.ts';

/** @param change of a line's JSON; undefined keeps it */
export async function rewriteJournal(
  folder: string,
  change: (json: string) => string | undefined,
): Promise<void> {
  const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal'));
  const file = path.join(folder, name);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const changed = lines.map((line) => {
    const json = readCheckedLine(Buffer.from(line))?.toString();
    if (json === undefined) throw new Error(`damaged: ${line}`);
    return formatCheckedLine(change(json) ?? json);
  });
  await writeFile(file, changed.join(''));
}
