/**
 * Small rules for JSON values, combined in the tables of blocks and elements. Problems include a location.
 */

import { isJsonObject } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';

export interface JsonLocation {
  readonly pointer: string;
  reportProblem(problem: string): void;
  child(key: string | number): JsonLocation;
}

export type JsonRule = (value: unknown, place: JsonLocation) => void;

interface Field {
  readonly rule: JsonRule;
  readonly required: boolean;
}

export type FieldRules = Readonly<Record<string, Field>>;

/** Collects problems in Slack's words: `must be … [json-pointer:/blocks/0/text]`. */
export function createRootLocation(pointer: string, problems: string[]): JsonLocation {
  return {
    pointer,
    reportProblem: (problem) => problems.push(`${problem} [json-pointer:${pointer}]`),
    child: (key) => createRootLocation(`${pointer}/${key}`, problems),
  };
}

export const requiredField = (rule: JsonRule): Field => ({ rule, required: true });
export const optionalField = (rule: JsonRule): Field => ({ rule, required: false });

function checkFields(fields: FieldRules, value: JsonObject, place: JsonLocation): void {
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name];
    if (given !== undefined && given !== null) field.rule(given, place.child(name));
    else if (field.required) place.reportProblem(`missing required field: ${name}`);
  }
}

/** An object with exactly these fields. */
export function objectRule(fields: FieldRules, ...also: readonly JsonRule[]): JsonRule {
  return (value, place) => {
    if (!isJsonObject(value)) return place.reportProblem('should be an object');
    checkFields(fields, value, place);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name)) place.reportProblem(`invalid additional property: ${name}`);
    }
    for (const rule of also) rule(value, place);
  };
}

export function textRule(max: number, min = 1): JsonRule {
  return (value, place) => {
    if (typeof value !== 'string') return place.reportProblem('must be a valid string');
    if (value.length < min) place.reportProblem(`must be more than ${min - 1} characters`);
    if (value.length > max) place.reportProblem(`must be less than ${max + 1} characters`);
  };
}

export function patternRule(pattern: RegExp, what: string): JsonRule {
  return (value, place) => {
    if (typeof value !== 'string' || !pattern.test(value)) place.reportProblem(`must be ${what}`);
  };
}

export const booleanRule: JsonRule = (value, place) => {
  if (typeof value !== 'boolean') place.reportProblem('must be a boolean');
};

export function integerRule(min: number, max: number): JsonRule {
  return (value, place) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return place.reportProblem('must be an integer');
    if (value < min || value > max) place.reportProblem(`must be between ${min} and ${max}`);
  };
}

export function oneOfRule(...allowed: readonly string[]): JsonRule {
  return (value, place) => {
    if (typeof value !== 'string' || !allowed.includes(value))
      place.reportProblem(`must be one of ${allowed.join(', ')}`);
  };
}

export function listRule(of: JsonRule, max: number, min = 1): JsonRule {
  return (value, place) => {
    if (!Array.isArray(value)) return place.reportProblem('must be an array');
    if (value.length < min) place.reportProblem(`no fewer than ${min} items allowed`);
    if (value.length > max) place.reportProblem(`no more than ${max} items allowed`);
    value.forEach((item, index) => {
      of(item, place.child(index));
    });
  };
}

/** One of several kinds, distinguished by `type`. */
export function byTypeRule(kinds: Readonly<Record<string, JsonRule>>): JsonRule {
  return (value, place) => {
    if (!isJsonObject(value)) return place.reportProblem('should be an object');
    const type = value['type'];
    const rule = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (rule) rule(value, place);
    else place.reportProblem(`unsupported type: ${String(type)}`);
  };
}

/** Some rules of a table. */
export function allowedTypesRule(
  kinds: Readonly<Record<string, JsonRule>>,
  names: readonly string[],
): JsonRule {
  return byTypeRule(Object.fromEntries(Object.entries(kinds).filter(([name]) => names.includes(name))));
}
