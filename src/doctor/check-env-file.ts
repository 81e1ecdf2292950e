/** Checks that only the owner can read the file with the tokens. */
import { stat } from 'node:fs/promises';
import type { DoctorFinding } from './finding.ts';

const GROUP_AND_OTHERS = 0o077;

/** Reports nothing without the file: the tokens are in the environment then. */
export async function checkEnvFile(file: string): Promise<readonly DoctorFinding[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return [];
  const isPrivate = (found.mode & GROUP_AND_OTHERS) === 0;
  if (isPrivate) return [{ check: file, ok: true, detail: 'readable only by its owner' }];
  return [
    {
      check: file,
      ok: true,
      detail: 'other users on this machine can read its tokens',
      remedy: `run \`chmod 600 ${file}\``,
    },
  ];
}
