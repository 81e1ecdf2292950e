/** Reads values of unknown shape. */
import type { JsonObject } from './objects.ts';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsInList(value: unknown): readonly JsonObject[] {
  return listOrEmpty(value).filter(isJsonObject);
}

export function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Removes undefined fields, as JSON would. */
export function withoutUndefined(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
