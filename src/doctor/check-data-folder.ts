/** Checks that the data folder is writable and has free space. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asError } from '../errors.ts';
import { readFreeBytes } from '../storage/free-space.ts';
import type { DoctorFinding } from './finding.ts';

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
    return [
      {
        check: 'data folder',
        ok: false,
        detail: says,
        remedy: `make ${folder} writable for this user, or set DATA_DIR to another folder`,
      },
    ];
  }
  const free = await readFreeBytes(folder);
  const says = `${Math.floor(free / MEBIBYTE)} MiB free`;
  return [
    { check: 'data folder', ok: true, detail: `${path.resolve(folder)} is writable` },
    free >= LEAST_FREE
      ? { check: 'disk', ok: true, detail: says }
      : {
          check: 'disk',
          ok: false,
          detail: says,
          remedy: "free up at least 512 MiB: Gigdesk can't store anything on a full disk",
        },
  ];
}
