/** Seals all tokens with the first key of `ENCRYPTION_KEY`, so that the others can go. */
import { TeamId } from '../ids.ts';
import { type EncryptionKeys, isSealedWith, openSealed, SealError, type SealPlace, seal } from '../seal.ts';
import type { Secret } from '../secret.ts';
import { failTo, inTransaction, type Transaction } from '../storage/postgres/database.ts';
import type { InstallationsOptions } from './installations.ts';

export interface RotatedKeys {
  /** Tokens that the first key has sealed now. */
  readonly resealed: number;
  /** Tokens that it had sealed before. */
  readonly unchanged: number;
  /** A sentence for each token that no key opens; they stay as they are. */
  readonly problems: readonly string[];
}

/** @throws StorageError when the database refuses or doesn't answer. */
export async function rotateKeys(options: InstallationsOptions): Promise<RotatedKeys> {
  const { database, keys, randomBytes } = options;
  const [first] = keys;
  const work = async (sql: Transaction): Promise<RotatedKeys> => {
    const counts = { resealed: 0, unchanged: 0 };
    const problems: string[] = [];
    for (const token of await readTokens(sql, 'for update')) {
      const value = tryOpen(token, keys);
      if (value instanceof SealError) problems.push(value.message);
      else if (isSealedWith(token.sealed, token, first)) counts.unchanged += 1;
      else {
        counts.resealed += 1;
        const resealed = seal(value, token, first, randomBytes);
        await sql`update installations set ${sql({ [token.field]: resealed })} where team = ${token.team}`;
      }
    }
    return { ...counts, problems };
  };
  return inTransaction(database, work).catch(failTo('seal the tokens again'));
}

/** @returns a sentence for each token that no key opens. @throws StorageError */
export async function findSealProblems({
  database,
  keys,
}: Pick<InstallationsOptions, 'database' | 'keys'>): Promise<readonly string[]> {
  const read = inTransaction(database, readTokens, 'read only');
  const opened = (await read.catch(failTo('read the sealed tokens'))).map((token) => tryOpen(token, keys));
  return opened.filter((each) => each instanceof SealError).map(({ message }) => message);
}

type SealedToken = SealPlace & { readonly sealed: string };

/** @param lock `for update`: what is installed meanwhile waits */
async function readTokens(sql: Transaction, lock: 'for update' | '' = ''): Promise<readonly SealedToken[]> {
  const rows = await sql<{ team: string; bot_token: string | null; marketplace_token: string | null }[]>`
    select team, bot_token, marketplace_token from installations order by team ${sql.unsafe(lock)}`;
  return rows.flatMap((row) =>
    (['bot_token', 'marketplace_token'] as const).flatMap((field) => {
      const sealed = row[field];
      return sealed === null ? [] : [{ team: TeamId.parse(row.team), field, sealed }];
    }),
  );
}

function tryOpen(token: SealedToken, keys: EncryptionKeys): Secret | SealError {
  try {
    return openSealed(token.sealed, token, keys);
  } catch (thrown) {
    if (thrown instanceof SealError) return thrown;
    throw thrown;
  }
}
