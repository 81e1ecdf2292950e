/** One cached item as one line: eight hexadecimal digits of CRC-32, a space, JSON. */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Instant } from '../../clock.ts';

/** The value of a key; within one file the last line counts. */
export interface CachedItem<T> {
  readonly key: number;
  /** When the value was known to be current. */
  readonly at: Instant;
  readonly value: T;
}

const shape = z.tuple([z.number(), z.number(), z.unknown()]);
const CHECKSUM_LENGTH = 9;

function checksum(json: string | Uint8Array): string {
  return `${crc32(json).toString(16).padStart(8, '0')} `;
}

export function formatCacheLine({ key, at, value }: CachedItem<unknown>): Buffer {
  const json = JSON.stringify([key, at, value]);
  return Buffer.from(`${checksum(json)}${json}\n`);
}

function parseJson(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/** @returns undefined when the line is damaged, or its value no longer fits the schema. */
export function parseCacheLine<T>(line: Buffer, schema: z.ZodType<T>): CachedItem<T> | undefined {
  const json = line.subarray(CHECKSUM_LENGTH);
  if (line.toString('latin1', 0, CHECKSUM_LENGTH) !== checksum(json)) return undefined;
  const entry = shape.safeParse(parseJson(json));
  if (!entry.success) return undefined;
  const [key, at, read] = entry.data;
  const value = schema.safeParse(read);
  return value.success ? { key, at, value: value.data } : undefined;
}
