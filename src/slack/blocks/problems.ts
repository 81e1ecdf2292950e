/** Collects what is wrong with a message or view, each problem with the place where it stands. */
import { type LimitName, limits } from './limits.ts';

type FieldName =
  | 'accessibility_label'
  | 'accessory'
  | 'action_id'
  | 'alt_text'
  | 'block_id'
  | 'confirm'
  | 'deny'
  | 'description'
  | 'element'
  | 'elements'
  | 'emoji'
  | 'fields'
  | 'hint'
  | 'image_url'
  | 'initial_date_time'
  | 'initial_option'
  | 'initial_options'
  | 'initial_users'
  | 'initial_value'
  | 'is_decimal_allowed'
  | 'label'
  | 'max_length'
  | 'max_value'
  | 'min_length'
  | 'min_value'
  | 'option_groups'
  | 'options'
  | 'placeholder'
  | 'rows'
  | 'slack_file'
  | 'style'
  | 'text'
  | 'title'
  | 'type'
  | 'url'
  | 'value'
  | 'verbatim';

/** A JSON object: the fields of Block Kit that are looked at, whatever they hold. */
export type Fields = { readonly [name in FieldName]?: unknown };

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export class Problems {
  readonly found: string[] = [];
  readonly #seen = new Map<string, Set<string>>();
  /** Characters of all texts that were checked. */
  textLength = 0;

  add(place: string, problem: string): void {
    this.found.push(`${place}: ${problem}`);
  }

  within(place: string, size: number, name: LimitName): void {
    const { max, unit } = limits[name];
    if (size > max) this.add(place, `${size} ${unit}, at most ${max} (${name})`);
  }

  /** A string within a limit; `min` 1 refuses an empty one. */
  string(place: string, value: unknown, name: LimitName, min = 1): void {
    if (typeof value !== 'string') {
      this.add(place, 'must be a string');
      return;
    }
    if (value.length < min) this.add(place, 'must not be empty');
    this.within(place, value.length, name);
  }

  optionalString(place: string, value: unknown, name: LimitName): void {
    if (value !== undefined) this.string(place, value, name);
  }

  /** A list of `min` to the limit's number of items; an empty list where it is none. */
  list(place: string, value: unknown, name: LimitName, min = 1): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(place, 'must be a list');
      return [];
    }
    if (value.length < min) this.add(place, `at least ${min}`);
    this.within(place, value.length, name);
    return value;
  }

  /** Every id of a `kind` may stand once; once in each `holder`, where one is named. */
  once(place: string, kind: string, id: unknown, holder = ''): void {
    if (typeof id !== 'string') return;
    const scope = `${kind} ${holder}`;
    const seen = this.#seen.get(scope) ?? new Set<string>();
    this.#seen.set(scope, seen);
    if (seen.has(id)) this.add(place, `${kind} "${id}" appears twice`);
    seen.add(id);
  }
}
