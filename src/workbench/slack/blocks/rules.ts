/** Small rules about JSON values, put together into the tables of blocks and elements. A broken one is reported with its place. */
import type { Json } from '../objects.ts';
import { isObject } from '../reading.ts';

export interface Place {
  readonly pointer: string;
  report(problem: string): void;
  child(key: string | number): Place;
}

export type Rule = (value: unknown, place: Place) => void;

interface Field {
  readonly rule: Rule;
  readonly required: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** Collects problems as Slack words them: `must be … [json-pointer:/blocks/0/text]`. */
export function startAt(pointer: string, problems: string[]): Place {
  return {
    pointer,
    report: (problem) => problems.push(`${problem} [json-pointer:${pointer}]`),
    child: (key) => startAt(`${pointer}/${key}`, problems),
  };
}

export const need = (rule: Rule): Field => ({ rule, required: true });
export const may = (rule: Rule): Field => ({ rule, required: false });

function checkFields(fields: Fields, value: Json, place: Place): void {
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name];
    if (given !== undefined && given !== null) field.rule(given, place.child(name));
    else if (field.required) place.report(`missing required field: ${name}`);
  }
}

/** An object with these fields and no others. */
export function shape(fields: Fields, ...also: readonly Rule[]): Rule {
  return (value, place) => {
    if (!isObject(value)) return place.report('should be an object');
    checkFields(fields, value, place);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name)) place.report(`invalid additional property: ${name}`);
    }
    for (const rule of also) rule(value, place);
  };
}

export function text(max: number, min = 1): Rule {
  return (value, place) => {
    if (typeof value !== 'string') return place.report('must be a valid string');
    if (value.length < min) place.report(`must be more than ${min - 1} characters`);
    if (value.length > max) place.report(`must be less than ${max + 1} characters`);
  };
}

export function matching(pattern: RegExp, what: string): Rule {
  return (value, place) => {
    if (typeof value !== 'string' || !pattern.test(value)) place.report(`must be ${what}`);
  };
}

export const flag: Rule = (value, place) => {
  if (typeof value !== 'boolean') place.report('must be a boolean');
};

export function whole(min: number, max: number): Rule {
  return (value, place) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return place.report('must be an integer');
    if (value < min || value > max) place.report(`must be between ${min} and ${max}`);
  };
}

export function among(...allowed: readonly string[]): Rule {
  return (value, place) => {
    if (typeof value !== 'string' || !allowed.includes(value))
      place.report(`must be one of ${allowed.join(', ')}`);
  };
}

export function list(of: Rule, max: number, min = 1): Rule {
  return (value, place) => {
    if (!Array.isArray(value)) return place.report('must be an array');
    if (value.length < min) place.report(`no fewer than ${min} items allowed`);
    if (value.length > max) place.report(`no more than ${max} items allowed`);
    value.forEach((item, index) => {
      of(item, place.child(index));
    });
  };
}

/** One of several kinds, told apart by `type`. */
export function byType(kinds: Readonly<Record<string, Rule>>): Rule {
  return (value, place) => {
    if (!isObject(value)) return place.report('should be an object');
    const type = value['type'];
    const rule = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (rule) rule(value, place);
    else place.report(`unsupported type: ${String(type)}`);
  };
}

/** Some of a table of kinds. */
export function only(kinds: Readonly<Record<string, Rule>>, names: readonly string[]): Rule {
  return byType(Object.fromEntries(Object.entries(kinds).filter(([name]) => names.includes(name))));
}
