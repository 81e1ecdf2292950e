/** A data folder, and whose data it has: its files name one Slack team. Pure. */
import type { TeamId } from '../../ids.ts';
import type { Disk } from '../disk.ts';
import { StorageError } from '../store.ts';

export interface DataFolder {
  readonly disk: Disk;
  readonly folder: string;
  /** The data version that this program reads and writes. */
  readonly version: number;
}

/** A folder to write in. */
export interface TeamFolder extends DataFolder {
  /** The Slack team that each file names. */
  readonly team: TeamId;
}

/**
 * @param known the team of the files that were read before, if any @param named by the next one
 * @throws StorageError `damaged` when they are two: one team's state would get another's changes.
 */
export function assertSameTeam(folder: string, known: TeamId | undefined, named: TeamId): void {
  if (known === undefined || known === named) return;
  throw new StorageError(
    'damaged',
    `${folder} has files of two Slack teams, ${known} and ${named}. Nothing was changed. ` +
      'Restore a backup, or move the files of one team to another folder.',
  );
}

/** @param found what the files name; undefined: there's no data yet. @throws StorageError `other-team` */
export function assertOwnTeam({ folder, team }: TeamFolder, found: TeamId | undefined): void {
  if (found === undefined || found === team) return;
  throw new StorageError(
    'other-team',
    `${folder} has the data of Slack team ${found}, but SLACK_BOT_TOKEN is for team ${team}. ` +
      `Nothing was changed. Set DATA_DIR to another folder, or use the bot token of team ${found}.`,
  );
}
