/** Reads as much as possible of a record that its schema refuses. Pure. */
import type { z } from 'zod';

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of a record with these fields replaced; `onDisk` itself if it isn't a record. */
export function replaceRecordFields(onDisk: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  return isFields(onDisk) ? { ...onDisk, ...fields } : onDisk;
}

/** A field of a record; undefined if there is none. */
export function readRecordField(onDisk: unknown, name: string): unknown {
  return isFields(onDisk) ? onDisk[name] : undefined;
}

function without(value: unknown, [head, ...rest]: readonly PropertyKey[]): unknown {
  if (head === undefined) return undefined;
  if (Array.isArray(value)) {
    const at = Number(head);
    return rest.length === 0
      ? value.filter((_, place) => place !== at)
      : value.map((item: unknown, place) => (place === at ? without(item, rest) : item));
  }
  if (!isFields(value)) return value;
  const { [String(head)]: inner, ...others } = value;
  return rest.length === 0 || inner === undefined
    ? others
    : { ...others, [String(head)]: without(inner, rest) };
}

/** Enough for a field within a field within a list. */
const MOST_ROUNDS = 6;

/**
 * The record without its invalid values: drops the innermost ones first, then what contains them. An invalid
 * field named in `instead` gets the value from there. undefined if that is not enough.
 */
export function readWithoutInvalidFields<T>(
  schema: z.ZodType<T>,
  onDisk: unknown,
  instead: Partial<T> = {},
): T | undefined {
  let value = onDisk;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { data, error } = schema.safeParse(value);
    if (!error) return data;
    // Later items of a list first, so that the indexes of earlier ones stay valid.
    const paths = error.issues.map(({ path }) => path).toSorted((a, b) => compare(b, a));
    for (const path of paths) {
      const field = String(path[0]);
      if (Object.hasOwn(instead, field) && isFields(value))
        value = { ...value, [field]: instead[field as keyof T] };
      else value = without(value, path.slice(0, Math.max(1, path.length - round)));
    }
  }
  return undefined;
}

function compare(a: readonly PropertyKey[], b: readonly PropertyKey[]): number {
  const at = a.findIndex((part, place) => part !== b[place]);
  return at < 0 ? 0 : Number(a[at]) - Number(b[at]) || 0;
}
