/**
 * Shapes of the API's answers. One definition says how a record is stored (a strict schema, and its type) and
 * how it is read from an answer (leniently: an unreadable field counts as missing). Pure.
 */
import { z } from 'zod';
import {
  isObject,
  parseBoolean,
  parseCount,
  parseExactText,
  parseFiniteNumber,
  parseId,
  parseInstant,
  parseListOrEmpty,
  parseMultilineText,
  parseRatio,
  parseSingleLine,
  parseStringList,
  toUnknownFields,
  type UnknownFields,
} from './values.ts';

/**
 * A value, and where a record finds it: under the record's own name for it, unless `from` says otherwise.
 * A record may lack it, unless it is `required` or has a fallback.
 */
class Value<S extends z.ZodType = z.ZodType, Stored extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** As a field of a record. */
  readonly stored: Stored;
  /** Undefined for an unreadable value. Never throws. */
  readonly parse: (value: unknown) => z.output<S> | undefined;
  readonly #paths: readonly (readonly string[])[] | undefined;
  readonly #fallback: z.output<S> | undefined;

  constructor(
    schema: S,
    stored: Stored,
    parse: (value: unknown) => z.output<S> | undefined,
    paths?: readonly (readonly string[])[],
    fallback?: z.output<S>,
  ) {
    this.schema = schema;
    this.stored = stored;
    this.parse = parse;
    this.#paths = paths;
    this.#fallback = fallback;
  }

  /** The first of these names under which the answer has a readable value. A dot leads into an object. */
  from(...names: readonly string[]): Value<S, Stored> {
    const paths = names.map((name) => name.split('.'));
    return new Value(this.schema, this.stored, this.parse, paths, this.#fallback);
  }

  /** Without it, the whole record is unreadable. */
  required(): Value<S, S> {
    return new Value(this.schema, this.schema, this.parse, this.#paths, this.#fallback);
  }

  or(fallback: z.output<S>): Value<S, S> {
    return new Value(this.schema, this.schema, this.parse, this.#paths, fallback);
  }

  get isRequired(): boolean {
    return Object.is(this.schema, this.stored);
  }

  readIn(fields: UnknownFields, name: string): z.output<S> | undefined {
    if (!this.#paths) return this.parse(fields[name]) ?? this.#fallback;
    for (const path of this.#paths) {
      const value = this.parse(path.reduce<unknown>((at, key) => toUnknownFields(at)[key], fields));
      if (value !== undefined) return value;
    }
    return this.#fallback;
  }
}

export function value<S extends z.ZodType>(schema: S, parse: (value: unknown) => z.output<S> | undefined) {
  return new Value(schema, schema.optional(), parse);
}

/** A value that depends on several fields of the answer's object. */
export function derived<S extends z.ZodType>(
  schema: S,
  parse: (fields: UnknownFields) => z.output<S> | undefined,
) {
  return new Value(schema, schema.optional(), (fields) => parse(toUnknownFields(fields)), [[]]);
}

export const line = (most?: number) => value(z.string(), (it) => parseSingleLine(it, most));
export const text = (most?: number) => value(z.string(), (it) => parseMultilineText(it, most));
export const exactText = (most?: number) => value(z.string(), (it) => parseExactText(it, most));
export const number = value(z.number(), parseFiniteNumber);
export const count = value(z.number(), parseCount);
export const ratio = value(z.number(), parseRatio);
export const flag = value(z.boolean(), parseBoolean);
export const instant = value(z.number(), parseInstant);
export const id = <S extends z.ZodType>(kind: S) => value(kind, (it) => parseId(kind, it));

/** Short texts; none for anything else. */
export const lines = value(z.array(z.string()), (it) => parseStringList(it)).required();

/** The readable items of a list; none for anything else. */
export function list<S extends z.ZodType>(item: Pick<Value<S>, 'schema' | 'parse'>) {
  return value(z.array(item.schema), (it) => parseListOrEmpty<z.output<S>>(it, item.parse)).required();
}

type Fields = Readonly<Record<string, Value>>;

/** A record; unreadable without its required fields, or when the answer has no object. */
export function record<F extends Fields>(fields: F) {
  const entries = Object.entries(fields);
  const stored = Object.fromEntries(entries.map(([name, field]) => [name, field.stored]));
  const schema = z.object(stored as { [K in keyof F]: F[K]['stored'] });
  return value(schema, (answer) => {
    if (!isObject(answer)) return undefined;
    const read: Record<string, unknown> = {};
    for (const [name, field] of entries) {
      const found = field.readIn(answer, name);
      if (found !== undefined) read[name] = found;
      else if (field.isRequired) return undefined;
    }
    return read as z.output<typeof schema>;
  });
}

/** A record without required fields that is always there: empty when the answer has no object. */
export function section<F extends Fields>(fields: F) {
  const { schema, parse } = record(fields);
  return value(schema, (answer) => parse(toUnknownFields(answer))).required();
}
