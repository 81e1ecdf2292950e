/**
 * Seals tokens for the database with AES-256-GCM. A sealed value is `v1.<key ID>.<base64url>`, and the bytes
 * are the nonce, the tag and the ciphertext. It opens only for its own team and field. Pure.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { RandomBytes } from './clock.ts';
import { GigdeskError } from './errors.ts';
import type { TeamId } from './ids.ts';
import { Secret } from './secret.ts';

export interface EncryptionKey {
  /** Stored beside what it seals. */
  readonly id: string;
  /** Base64 of 32 bytes. */
  readonly base64: Secret;
}

/** The first one seals; each opens what it sealed. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

/** @param text `ENCRYPTION_KEY`: keys, separated by commas, each `<id>:<base64>` or `<base64>` */
export function parseEncryptionKeys(text: string): EncryptionKeys | undefined {
  const keys = text.split(',').map((entry) => parseKey(entry.trim()));
  const valid = keys.filter((key) => key !== undefined);
  const [first, ...rest] = valid;
  const hasAll = valid.length === keys.length && new Set(valid.map(({ id }) => id)).size === valid.length;
  return first && hasAll ? [first, ...rest] : undefined;
}

function parseKey(entry: string): EncryptionKey | undefined {
  const [, id, base64 = ''] = /^(?:([^:]*):)?(.*)$/u.exec(entry) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (!/^[A-Za-z0-9+/]{43}=$/u.test(base64) || bytes.length !== 32) return undefined;
  const named = id ?? createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return /^[A-Za-z0-9_-]{1,32}$/u.test(named) ? { id: named, base64: new Secret(base64) } : undefined;
}

/** Where a sealed value belongs. */
export interface SealPlace {
  readonly team: TeamId;
  /** A column's name. */
  readonly field: string;
}

/**
 * `unknown-key`: none of the keys sealed it · `changed`: its key is there, but the value was changed, or
 * belongs to another team or field.
 */
type SealErrorCode = 'unknown-key' | 'changed';

export class SealError extends GigdeskError {
  override readonly name = 'SealError';
  readonly code: SealErrorCode;

  constructor(code: SealErrorCode, { team, field }: SealPlace) {
    super(
      code === 'unknown-key'
        ? `No key of ENCRYPTION_KEY opens the ${field} of ${team}. Add the key that was used before.`
        : `The ${field} of ${team} was changed in the database, so it can't be opened.`,
    );
    this.code = code;
  }
}

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param random gives the nonce, which must not repeat for a key */
export function seal(value: Secret, place: SealPlace, key: EncryptionKey, random: RandomBytes): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytesOf(key), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(contextOf(place));
  const text = Buffer.concat([cipher.update(value.reveal(), 'utf8'), cipher.final()]);
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), text]);
  return [FORMAT, key.id, bytes.toString('base64url')].join('.');
}

/** Tries all keys, so that a key may get another ID. @throws SealError */
export function openSealed(sealed: string, place: SealPlace, keys: EncryptionKeys): Secret {
  const [format, id, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  if (format === FORMAT && bytes.length >= NONCE_BYTES + TAG_BYTES)
    for (const key of keys) {
      const value = tryKey(bytes, place, key);
      if (value) return value;
    }
  const isKnown = format !== FORMAT || keys.some((key) => key.id === id);
  throw new SealError(isKnown ? 'changed' : 'unknown-key', place);
}

/** Whether this very key sealed it, under its ID: another one may have had the same ID. */
export function isSealedWith(sealed: string, place: SealPlace, key: EncryptionKey): boolean {
  const [format, id, encoded = ''] = sealed.split('.');
  if (format !== FORMAT || id !== key.id) return false;
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.length >= NONCE_BYTES + TAG_BYTES && tryKey(bytes, place, key) !== undefined;
}

function tryKey(bytes: Buffer, place: SealPlace, key: EncryptionKey): Secret | undefined {
  const decipher = createDecipheriv(CIPHER, bytesOf(key), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(contextOf(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'));
  } catch {
    return undefined;
  }
}

function bytesOf({ base64 }: EncryptionKey): Buffer {
  return Buffer.from(base64.reveal(), 'base64');
}

/** No two places have the same text. */
function contextOf({ team, field }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify([team, field]));
}
