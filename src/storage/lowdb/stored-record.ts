/** One record in memory, as it is or packed. */
import type { z } from 'zod';
import { JsonPacker, type PackedJson } from '../packed-json.ts';
import type { Key } from '../store.ts';
import { deepFreeze } from './json.ts';

export interface StoredRecord {
  readonly key: Key;
  /** Deeply frozen. */
  readonly value: unknown;
  /** What the disk holds, where the schema reads it as something else: kept for versions that know more fields. */
  readonly onDisk?: unknown;
  /** The schema refuses what the disk holds; `value` is what it counts as. */
  readonly isInvalid?: true;
  /** Another stands in its place, or none: only who reads an older state still wants it. */
  releaseMemory?(): void;
}

/**
 * Makes the record of a value that is deeply frozen. Packed records never are one as it is first: where most objects of a place in
 * the code live long, V8 counts all of them as old, and what a dead old one holds stays until all of the heap is collected.
 */
export type CreateStoredRecord = (key: Key, value: unknown, onDisk?: unknown) => StoredRecord;

export const createPlainRecord: CreateStoredRecord = (key, value, onDisk) =>
  onDisk === undefined ? { key, value } : { key, value, onDisk };

/** @param schema of the collection. */
export function packedRecordFactory(schema: z.ZodType): CreateStoredRecord {
  const packer = new JsonPacker();
  return (key, value, onDisk) =>
    new PackedRecord(
      key,
      packer.pack(JSON.stringify(onDisk ?? value)),
      onDisk === undefined ? undefined : schema,
    );
}

/** Holds what the disk holds, and reads it anew each time. */
class PackedRecord implements StoredRecord {
  readonly key: Key;
  readonly #packed: PackedJson;
  /** Where it reads what the disk holds as something else. */
  readonly #schema: z.ZodType | undefined;

  constructor(key: Key, packed: PackedJson, schema: z.ZodType | undefined) {
    this.key = key;
    this.#packed = packed;
    this.#schema = schema;
  }

  get value(): unknown {
    const onDisk: unknown = JSON.parse(this.#packed.read());
    return deepFreeze(this.#schema ? this.#schema.parse(onDisk) : onDisk);
  }

  get json(): string {
    return this.#packed.read();
  }

  releaseMemory(): void {
    this.#packed.releaseMemory();
  }
}

/** A record's value as the disk holds it. */
export function formatStoredValue(record: StoredRecord): string {
  return record instanceof PackedRecord ? record.json : JSON.stringify(record.onDisk ?? record.value);
}
