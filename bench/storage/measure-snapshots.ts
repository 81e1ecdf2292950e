/**
 * Starts over a full folder, each in a new process: reads the snapshot, and writes the next one at the end.
 */
import { enter, timeReading } from './contenders.ts';
import type { Closed, Opened } from './protocol.ts';

export interface Life {
  readonly opened: Opened;
  readonly closed: Closed;
  /** Reading and parsing the same files without a store. */
  readonly readingMs: number;
}

export async function measureLives(folder: string, size: number, lives: number): Promise<readonly Life[]> {
  const measured: Life[] = [];
  for (let life = 0; life < lives; life++) {
    const readingMs = await timeReading(folder);
    const { process } = enter(folder, 'store', size);
    const opened = await process.ask('open', undefined);
    await process.ask('commit', 1);
    const closed = await process.ask('close', undefined);
    await process.end();
    measured.push({ opened, closed, readingMs });
  }
  return measured;
}
