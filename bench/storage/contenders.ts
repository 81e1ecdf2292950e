/** The processes of the storage part, each with its own folder. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contender, startContender } from '../contender.ts';
import type { StorageContender } from './protocol.ts';
import type { ReadingProcess } from './reading-process.ts';

export type Kind = 'store' | 'bare' | 'lowdb';

export interface Entrant {
  readonly kind: Kind;
  readonly size: number;
  readonly process: Contender<StorageContender>;
}

function script(kind: Kind): string {
  const file = kind === 'store' ? 'store-process.js' : 'plain-process.js';
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Fills a folder in a process that ends, so the measured process begins with a normal start. */
export async function fillFolder(root: string, kind: Kind, size: number): Promise<string> {
  const folder = join(root, `${kind}-${size}`);
  await mkdir(folder, { recursive: true });
  const filling = startContender<StorageContender>(script(kind), [folder, String(size), kind]);
  await filling.ask('fill', size);
  await filling.end();
  return folder;
}

/** How long a process of its own takes to read and parse a folder's records, in ms. */
export async function timeReading(folder: string): Promise<number> {
  const script = fileURLToPath(new URL('reading-process.js', import.meta.url));
  const reading = startContender<ReadingProcess>(script);
  try {
    return await reading.ask('read', folder);
  } finally {
    await reading.end();
  }
}

export function enter(folder: string, kind: Kind, size: number): Entrant {
  const process = startContender<StorageContender>(script(kind), [folder, String(size), kind]);
  return { kind, size, process };
}
