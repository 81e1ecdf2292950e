/** The names of the files in the store's folder. */
import { join } from 'node:path';
import type { Instant } from '../../clock.ts';

export type StoreFileKind = 'snapshot' | 'journal';

const numbered = /^(snapshot|journal)-(\d{8,})\.jsonl$/;

export function storeFilePath(folder: string, kind: StoreFileKind, segment: number): string {
  return join(folder, `${kind}-${String(segment).padStart(8, '0')}.jsonl`);
}

/** The numbers of the files of a kind, ascending. */
export function listFileNumbers(kind: StoreFileKind, names: readonly string[]): number[] {
  return names
    .map((name) => numbered.exec(name))
    .filter((match) => match?.[1] === kind)
    .map((match) => Number(match?.[2]))
    .sort((a, b) => a - b);
}

/** `what` and the time, safe on every file system. */
export function quarantineFileName(what: string, at: Instant): string {
  return `${what}-${new Date(at).toISOString().replaceAll(':', '-')}`;
}
