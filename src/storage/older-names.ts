/** Reads fields and values that an older version stored under other names. */
import { z } from 'zod';
import { isFields } from './read-invalid-record.ts';

/** A choice of values. @param before the present value by the older one */
export function enumWithOlderValues<const Values extends readonly [string, ...string[]]>(
  values: Values,
  before: Readonly<Record<string, Values[number]>>,
) {
  return z.preprocess(
    (value) => (typeof value === 'string' && Object.hasOwn(before, value) ? before[value] : value),
    z.enum(values),
  );
}

/** A record. @param before the present field name by the older one */
export function withOlderFields<Schema extends z.ZodType>(
  schema: Schema,
  before: Readonly<Record<string, string>>,
) {
  return z.preprocess((value) => {
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        Object.hasOwn(before, name) ? before[name] : name,
        field,
      ]),
    );
  }, schema);
}
