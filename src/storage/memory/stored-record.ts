/** One record in memory, plain or packed; freezing and comparing values. */
import type { z } from 'zod';
import { JsonPacker, type PackedJson } from '../packed-json.ts';
import type { Key } from '../store.ts';

export interface StoredRecord {
  readonly key: Key;
  /** Deeply frozen. */
  readonly value: unknown;
  /** The stored value, if the schema reads it differently: kept for versions that know more fields. */
  readonly onDisk?: unknown;
  /** The schema refuses the stored value; `value` is its safe reading. */
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

/** Keeps the stored value packed, and parses it on each read. */
class PackedRecord implements StoredRecord {
  readonly key: Key;
  readonly #packed: PackedJson;
  /** Set if the schema reads the stored value differently. */
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

/** A record's JSON, as the log stores it. */
export function formatStoredValue(record: StoredRecord): string {
  return record instanceof PackedRecord ? record.json : JSON.stringify(record.onDisk ?? record.value);
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

function sameObject(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const other = b as Record<string, unknown>;
  return Object.entries(a).every(
    ([name, inner]) => Object.hasOwn(other, name) && sameJson(inner, other[name]),
  );
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return sameObject(a, b);
}
