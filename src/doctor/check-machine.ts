/**
 * Checks this machine: its data folder is writable, free, readable, and of the team whose bot token is set;
 * and only the owner can read the tokens.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asError } from '../errors.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { readFreeBytes } from '../storage/free-space.ts';
import { findLockHolder, type LockHolder } from '../storage/journal/lock.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { type DoctorFinding, failed, passed, warned } from './finding.ts';

const MEBIBYTE = 2 ** 20;
/** A team's records of a year need far less; below this, a second snapshot wouldn't fit. */
const LEAST_FREE = 512 * MEBIBYTE;

/** Creates the folder if it is missing, and writes and deletes a test file. Never throws on file errors. */
export async function checkDataFolder(folder: string): Promise<readonly DoctorFinding[]> {
  const probe = path.join(folder, '.doctor');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'ok');
    await rm(probe);
  } catch (thrown) {
    const says = `isn't writable: ${asError(thrown).message}`;
    const remedy = `make ${folder} writable for this user, or set DATA_DIR to another folder`;
    return [failed('data folder', says, remedy)];
  }
  const free = await readFreeBytes(folder);
  const says = `${Math.floor(free / MEBIBYTE)} MiB free`;
  return [
    passed('data folder', `${path.resolve(folder)} is writable`),
    free >= LEAST_FREE
      ? passed('disk', says)
      : failed('disk', says, "free up at least 512 MiB: Gigdesk can't store anything on a full disk"),
  ];
}

/** Reports nothing without the file: the tokens are in the environment then. */
export async function checkEnvFile(file: string): Promise<readonly DoctorFinding[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return [];
  // Neither the group nor others have a right.
  const isPrivate = (found.mode & 0o077) === 0;
  return [
    isPrivate
      ? passed(file, 'readable only by its owner')
      : warned(file, 'other users on this machine can read its tokens', `run \`chmod 600 ${file}\``),
  ];
}

const LOCK_STATES: Readonly<Record<Exclude<LockHolder['kind'], 'running'>, string>> = {
  nobody: 'the data folder is not in use',
  gone: 'left by a Gigdesk that was killed; the next start takes over the data folder',
  unknown:
    'Gigdesk may be running on another machine or in another container; a start watches the lock for 15 s',
};

/** Whether Gigdesk runs on the folder, or may run on another machine. False if the lock is unreadable. */
export async function isGigdeskPossiblyRunning(folder: string): Promise<boolean> {
  const holder = await findLockHolder(fileSystemDisk, folder).catch(() => undefined);
  return holder?.kind === 'running' || holder?.kind === 'unknown';
}

/** Running the doctor next to Gigdesk is fine, so a lock in use isn't a failure. */
export async function checkDataFolderLock(folder: string): Promise<DoctorFinding> {
  try {
    const holder = await findLockHolder(fileSystemDisk, folder);
    const says =
      holder.kind === 'running' ? `Gigdesk is running as process ${holder.pid}` : LOCK_STATES[holder.kind];
    return passed('lock', says);
  } catch (thrown) {
    const owner = 'they belong to the user who ran Gigdesk before';
    const remedy = `make the files in ${folder} readable for this user; ${owner}`;
    return failed('lock', `isn't readable: ${asError(thrown).message}`, remedy);
  }
}

/**
 * Reads all files and changes none. Reports nothing on a folder without data. Never throws.
 * @param team of the bot token; undefined when that isn't known
 */
export async function checkData(folder: string, team: string | undefined): Promise<readonly DoctorFinding[]> {
  try {
    const read = await readFolderRecords({ disk: fileSystemDisk, folder, version: CURRENT_DATA_VERSION });
    if (read.kind === 'nothing-there') return [];
    const remedy = 'restore a backup if it has more; otherwise, a start keeps copies of damaged files';
    if (read.damage.length > 0) return [warned('data', read.damage.join(' '), remedy)];
    return read.team === undefined ? [] : [judgeTeam(read.team, team)];
  } catch (thrown) {
    return [{ check: 'data', ok: false, detail: asError(thrown).message }];
  }
}

function judgeTeam(found: string, team: string | undefined): DoctorFinding {
  if (team === undefined || team === found) return passed('data', `readable; Slack team ${found}`);
  return failed(
    'data',
    `the folder has the data of Slack team ${found}, but SLACK_BOT_TOKEN is for team ${team}`,
    `set DATA_DIR to another folder, or use the bot token of team ${found}`,
  );
}
