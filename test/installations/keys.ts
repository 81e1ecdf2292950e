/** Keys of `ENCRYPTION_KEY`, for tests. */
import { type EncryptionKeys, parseEncryptionKeys } from '../../src/seal.ts';

/** Keys with these IDs, each with bytes of its own. */
export function keysNamed(...ids: readonly string[]): EncryptionKeys {
  const text = ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(',');
  const keys = parseEncryptionKeys(text);
  if (!keys) throw new Error(`no keys: ${ids.join(', ')}`);
  return keys;
}
