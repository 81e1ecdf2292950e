/** One record in memory, plain or packed. */
import type { z } from 'zod';
import { JsonPacker, type PackedJson } from '../packed-json.ts';
import type { Key } from '../store.ts';
import { deepFreeze } from './json.ts';

export interface StoredRecord {
  readonly key: Key;
  /** Deeply frozen. */
  readonly value: unknown;
  /** The disk's value, if the schema reads it differently: kept for versions that know more fields. */
  readonly onDisk?: unknown;
  /** The schema refuses the disk's value; `value` is its safe reading. */
  readonly isInvalid?: true;
  /** Called when the record was replaced or deleted: only readers of an older state still need it. */
  releaseMemory?(): void;
}

/**
 * Creates the record of a deeply frozen value. A packed record packs its value at once. If most objects from
 * one place in the code live long, V8 treats all of them as old, and dead ones stay until it collects the
 * whole heap.
 */
export type StoredRecordFactory = (key: Key, value: unknown, onDisk?: unknown) => StoredRecord;

export const createPlainRecord: StoredRecordFactory = (key, value, onDisk) =>
  onDisk === undefined ? { key, value } : { key, value, onDisk };

/** @param schema the collection's schema */
export function packedRecordFactory(schema: z.ZodType): StoredRecordFactory {
  const packer = new JsonPacker();
  return (key, value, onDisk) =>
    new PackedRecord(
      key,
      packer.pack(JSON.stringify(onDisk ?? value)),
      onDisk === undefined ? undefined : schema,
    );
}

/** Stores the disk's value packed, and parses it on each read. */
class PackedRecord implements StoredRecord {
  readonly key: Key;
  readonly #packed: PackedJson;
  /** Set if the schema reads the disk's value differently. */
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

/** A record's JSON as the disk stores it. */
export function formatStoredValue(record: StoredRecord): string {
  return record instanceof PackedRecord ? record.json : JSON.stringify(record.onDisk ?? record.value);
}
