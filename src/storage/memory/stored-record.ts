/** One record in memory, plain or packed; freezing and comparing values. */
import type { z } from 'zod';
import { JsonPacker, type PackedJson } from '../packed-json.ts';

/** Its key is its place in the collection: kept once, as text. */
export interface StoredRecord {
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
export type StoredRecordFactory = (value: unknown, onDisk?: unknown) => StoredRecord;

export const createPlainRecord: StoredRecordFactory = (value, onDisk) =>
  onDisk === undefined ? { value } : { value, onDisk };

export function packedRecordFactory(schema: z.ZodType): StoredRecordFactory {
  const packer = new JsonPacker();
  return (value, onDisk) =>
    new PackedRecord(packer.pack(JSON.stringify(onDisk ?? value)), onDisk === undefined ? undefined : schema);
}

/** Keeps the stored value packed, and parses it on each read. */
class PackedRecord implements StoredRecord {
  readonly #packed: PackedJson;
  /** Set if the schema reads the stored value differently. */
  readonly #schema: z.ZodType | undefined;

  constructor(packed: PackedJson, schema: z.ZodType | undefined) {
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

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b) || Object.keys(a).length !== Object.keys(b).length) return false;
  const other = b as Record<string, unknown>;
  return Object.entries(a).every(
    ([name, inner]) => Object.hasOwn(other, name) && sameJson(inner, other[name]),
  );
}
