/**
 * Copies a workspace between a data folder and a database, once: a second run finds it there. The source
 * stays as it is. A run that was cut off left nothing that counts, and is simply repeated.
 */
import path from 'node:path';
import { TeamId } from '../ids.ts';
import { listIfThere } from '../storage/disk.ts';
import {
  type CopiedWorkspace,
  listTeams,
  summarizeWorkspace,
  type WorkspaceSummary,
} from './copied-workspace.ts';
import { type MovingParts, withDatabasePlace } from './database-place.ts';
import { readFolder, writeFolder } from './folder-place.ts';

export type MoveResult =
  | { readonly kind: 'moved' | 'there-already'; readonly team: TeamId; readonly summary: WorkspaceSummary }
  /** The source has nothing, or records of several teams. */
  | { readonly kind: 'no-workspace'; readonly teams: readonly string[] }
  /** The target holds something else, and stays as it is. */
  | { readonly kind: 'occupied'; readonly team: TeamId; readonly records: number }
  /** What was written isn't what was read. */
  | {
      readonly kind: 'different';
      readonly team: TeamId;
      readonly source: WorkspaceSummary;
      readonly target: WorkspaceSummary;
    };

function compare(team: TeamId, from: CopiedWorkspace, to: CopiedWorkspace): MoveResult {
  const [source, target] = [summarizeWorkspace(from), summarizeWorkspace(to)];
  if (source.checksum !== target.checksum) return { kind: 'different', team, source, target };
  return { kind: 'moved', team, summary: target };
}

/** From a folder that no process uses. @throws StorageError */
export async function importFolder(parts: MovingParts, folder: string): Promise<MoveResult> {
  const source = await readFolder(folder, parts.clock);
  const teams = listTeams(source?.records ?? []);
  const [only, ...others] = teams;
  if (!source || only === undefined || others.length > 0) return { kind: 'no-workspace', teams };
  const team = TeamId.parse(only);
  return withDatabasePlace(parts, team, async (place) => {
    const before = await place.read();
    if (before.records.length > 0) {
      const compared = compare(team, source, before);
      if (compared.kind === 'moved') return { ...compared, kind: 'there-already' };
      return { kind: 'occupied', team, records: before.records.length };
    }
    await place.write(source);
    return compare(team, source, await place.read());
  });
}

/** Into a folder that is new, empty, or from an earlier run. @throws StorageError */
export async function exportFolder(parts: MovingParts, team: TeamId, to: string): Promise<MoveResult> {
  // Without a slash at the end: the copy is made beside the folder, not in it.
  const folder = path.resolve(to);
  return withDatabasePlace(parts, team, async (place) => {
    const source = await place.read();
    if (source.records.length === 0) return { kind: 'no-workspace', teams: [] };
    if ((await listIfThere(folder)).length > 0) {
      const before = await readFolder(folder, parts.clock);
      const compared = compare(team, source, before ?? { records: [], proposals: [] });
      if (compared.kind === 'moved') return { ...compared, kind: 'there-already' };
      return { kind: 'occupied', team, records: before?.records.length ?? 0 };
    }
    await writeFolder(folder, source, parts.clock);
    const written = await readFolder(folder, parts.clock);
    return compare(team, source, written ?? { records: [], proposals: [] });
  });
}
