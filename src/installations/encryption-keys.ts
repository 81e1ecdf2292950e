/** The keys that seal tokens, as `ENCRYPTION_KEY` lists them. */
import { createHash } from 'node:crypto';
import { Secret } from '../secret.ts';

export interface EncryptionKey {
  /** Stored beside what it seals. */
  readonly id: string;
  /** Base64 of 32 bytes. */
  readonly base64: Secret;
}

/** The first one seals; each opens what it sealed. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

const KEY_BYTES = 32;
const ID = /^[A-Za-z0-9_-]{1,32}$/u;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/u;

/** @param text one or more keys, separated by commas, each `<id>:<base64>` or `<base64>` */
export function parseEncryptionKeys(text: string): EncryptionKeys | undefined {
  const keys = text.split(',').map((entry) => parseKey(entry.trim()));
  const valid = keys.filter((key) => key !== undefined);
  const [first, ...rest] = valid;
  const hasAll = valid.length === keys.length && new Set(valid.map(({ id }) => id)).size === valid.length;
  return first && hasAll ? [first, ...rest] : undefined;
}

function parseKey(entry: string): EncryptionKey | undefined {
  const [, id, base64 = ''] = /^(?:([^:]*):)?(.*)$/u.exec(entry) ?? [];
  if (!BASE64.test(base64) || Buffer.from(base64, 'base64').length !== KEY_BYTES) return undefined;
  const derived = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex').slice(0, 8);
  const named = id ?? derived;
  return ID.test(named) ? { id: named, base64: new Secret(base64) } : undefined;
}
