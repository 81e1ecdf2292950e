/** Collects the problems of a message or view, each with its place. */
import { type SlackLimitName, slackLimits } from './limits.ts';

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

/** A JSON object with the Block Kit fields that the checks read, with values of any type. */
export type BlockFields = { readonly [name in FieldName]?: unknown };

export function asBlockFields(value: unknown): BlockFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as BlockFields)
    : undefined;
}

export class ProblemCollector {
  readonly found: string[] = [];
  readonly #seen = new Map<string, Set<string>>();
  /** Total length of all checked texts. */
  textLength = 0;

  add(place: string, problem: string): void {
    this.found.push(`${place}: ${problem}`);
  }

  checkSize(place: string, size: number, name: SlackLimitName): void {
    const { max, unit } = slackLimits[name];
    if (size > max) this.add(place, `${size} ${unit}, at most ${max} (${name})`);
  }

  /** Checks a string against a limit; `min` 1 rejects an empty one. */
  checkString(place: string, value: unknown, name: SlackLimitName, min = 1): void {
    if (typeof value !== 'string') {
      this.add(place, 'must be a string');
      return;
    }
    if (value.length < min) this.add(place, 'must not be empty');
    this.checkSize(place, value.length, name);
  }

  checkOptionalString(place: string, value: unknown, name: SlackLimitName): void {
    if (value !== undefined) this.checkString(place, value, name);
  }

  /** Checks for `min` to the limit's number of items. @returns an empty list where the value is no list. */
  checkList(place: string, value: unknown, name: SlackLimitName, min = 1): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(place, 'must be a list');
      return [];
    }
    if (value.length < min) this.add(place, `at least ${min}`);
    this.checkSize(place, value.length, name);
    return value;
  }

  /** Reports a repeated ID of a `kind`, within `holder` where one is given. */
  checkUnique(place: string, kind: string, id: unknown, holder = ''): void {
    if (typeof id !== 'string') return;
    const scope = `${kind} ${holder}`;
    const seen = this.#seen.get(scope) ?? new Set<string>();
    this.#seen.set(scope, seen);
    if (seen.has(id)) this.add(place, `${kind} "${id}" appears twice`);
    seen.add(id);
  }
}
