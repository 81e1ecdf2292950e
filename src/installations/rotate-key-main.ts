/** `gigdesk rotate-key`: seals all tokens with the first key of `ENCRYPTION_KEY`. Exit code 1 if it fails. */
import { done, endWithReport, notDone, type Report } from '../base/command-report.ts';
import { machineRandomBytes } from '../clock.ts';
import type { EncryptionKeys } from './encryption-keys.ts';
import { type RotatedKeys, rotateKeys } from './rotate-keys.ts';
import { runOnDatabase } from './run-on-database.ts';

function reportRotation({ resealed, unchanged, problems }: RotatedKeys, keys: EncryptionKeys): Report {
  const [first, ...others] = keys;
  const counts =
    `Tokens sealed with the key “${first.id}”: ${resealed} now, ${unchanged} before. ` +
    `Tokens that no key opens: ${problems.length}.`;
  if (problems.length > 0) return notDone(counts, ...problems);
  if (others.length === 0) return done(counts);
  return done(counts, 'Once all replicas run with this ENCRYPTION_KEY, remove its other keys.');
}

await endWithReport(
  runOnDatabase(async (database, { workspaces }) => {
    if (workspaces.mode !== 'installed')
      return notDone('There are no sealed tokens: ENCRYPTION_KEY is for many workspaces.');
    const { encryptionKeys: keys } = workspaces;
    return reportRotation(await rotateKeys({ database, keys, randomBytes: machineRandomBytes }), keys);
  }),
);
