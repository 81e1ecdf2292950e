/**
 * Copies a workspace between a data folder and a database, once: a second run finds it there. The source
 * stays as it is. A run that was cut off left nothing that counts, and is simply repeated.
 */
import path from 'node:path';
import type { TeamId } from '../ids.ts';
import { listIfThere } from '../storage/disk.ts';
import { type CopiedWorkspace, summarizeWorkspace, type WorkspaceSummary } from './copied-workspace.ts';
import { type MovingParts, readFolder, withDatabasePlace, writeFolder } from './places.ts';

export type MoveResult =
  | { readonly kind: 'moved' | 'there-already'; readonly team: TeamId; readonly summary: WorkspaceSummary }
  /** The source has nothing. */
  | { readonly kind: 'no-workspace' }
  /** The target holds something else, of this team, and stays as it is. */
  | { readonly kind: 'occupied'; readonly team: TeamId; readonly records: number }
  /** What was written isn't what was read. */
  | {
      readonly kind: 'different';
      readonly team: TeamId;
      readonly source: WorkspaceSummary;
      readonly target: WorkspaceSummary;
    };

function compare(from: CopiedWorkspace, to: CopiedWorkspace): MoveResult {
  const { team } = from;
  const [source, target] = [summarizeWorkspace(from), summarizeWorkspace(to)];
  if (source.checksum !== target.checksum) return { kind: 'different', team, source, target };
  return { kind: 'moved', team, summary: target };
}

/** From a folder that no process uses. @throws StorageError */
export async function importFolder(parts: MovingParts, folder: string): Promise<MoveResult> {
  const source = await readFolder(folder, parts.clock);
  if (!source || source.records.length === 0) return { kind: 'no-workspace' };
  const { team } = source;
  return withDatabasePlace(parts, team, async (place) => {
    const before = await place.read();
    if (before.records.length > 0) {
      const compared = compare(source, before);
      if (compared.kind === 'moved') return { ...compared, kind: 'there-already' };
      return { kind: 'occupied', team, records: before.records.length };
    }
    await place.write(source);
    return compare(source, await place.read());
  });
}

/** Into a folder that is new, empty, or from an earlier run. @throws StorageError */
export async function exportFolder(parts: MovingParts, team: TeamId, to: string): Promise<MoveResult> {
  // Without a slash at the end: the copy is made beside the folder, not in it.
  const folder = path.resolve(to);
  const nothing = { team, records: [], proposals: [] };
  return withDatabasePlace(parts, team, async (place) => {
    const source = await place.read();
    if (source.records.length === 0) return { kind: 'no-workspace' };
    if ((await listIfThere(folder)).length > 0) {
      const before = (await readFolder(folder, parts.clock)) ?? nothing;
      const compared = compare(source, before);
      if (compared.kind === 'moved') return { ...compared, kind: 'there-already' };
      return { kind: 'occupied', team: before.team, records: before.records.length };
    }
    await writeFolder(folder, source, parts.clock);
    const written = await readFolder(folder, parts.clock);
    return compare(source, written ?? nothing);
  });
}
