/**
 * Finds filter IDs in what a tool sends: in the query, or at any depth of a body of JSON or form fields.
 * Everything else in it is ignored. Pure.
 */
import { parseJson } from '../base/parse-json.ts';
import { FilterId } from '../ids.ts';

/** More of one request are ignored. */
export const MOST_HINTED_FILTERS = 100;
/** Bound the work for one request: strangers may have found the address. */
const MOST_VALUES = 10_000;
const MOST_FIELDS = 1_000;
const MOST_JSON_FIELDS = 10;

/** Tools name one filter, or list all that match. */
const KEYS: ReadonlySet<string> = new Set([
  'filter',
  'filter_id',
  'filterId',
  'filters',
  'filter_ids',
  'filterIds',
]);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Whether a form's key is one of ours, such as `filter[id]`, `filter_ids[]` or `a[filters][0][id]`. */
function isFormKey(key: string): boolean {
  const parts = key.split(/[[\]]+/u, 10).filter((part) => part !== '');
  const rest = parts.slice(parts.findLastIndex((part) => KEYS.has(part)));
  return KEYS.has(rest[0] ?? '') && /^\d{0,5}(id)?$/u.test(rest.slice(1).join(''));
}

/** `7`, `"7"`, `"7, 8"`. */
function readNumbers(value: unknown): readonly FilterId[] {
  const isText = typeof value === 'string' && /^[\s\d,]{1,2000}$/u.test(value);
  const numbers = isText ? value.split(',', MOST_HINTED_FILTERS).map(Number) : [value];
  return numbers.flatMap((number) => {
    const id = typeof number === 'number' && number > 0 ? FilterId.safeParse(number).data : undefined;
    return id === undefined ? [] : [id];
  });
}

/** Numbers, `{"id": 7}`, or a list of both. */
function readIds(value: unknown): readonly FilterId[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, MOST_HINTED_FILTERS) : [value];
  return items.flatMap((item) =>
    readNumbers(isObject(item) && Object.hasOwn(item, 'id') ? item['id'] : item),
  );
}

/** Collects distinct IDs up to the maximum. */
class FoundFilters {
  readonly #found = new Set<FilterId>();
  /** Of the values in JSON that may still be looked at. */
  #valuesLeft = MOST_VALUES;

  get isFull(): boolean {
    return this.#found.size >= MOST_HINTED_FILTERS || this.#valuesLeft <= 0;
  }

  add(ids: readonly FilterId[]): void {
    for (const id of ids) if (this.#found.size < MOST_HINTED_FILTERS) this.#found.add(id);
  }

  /** Breadth first, without recursion: no depth overflows the stack. */
  addFromJson(root: unknown): void {
    const queue: unknown[] = [root];
    for (let next = 0; next < queue.length; next++) {
      const value = queue[next];
      if (!isObject(value)) continue;
      for (const key of Object.keys(value)) {
        if (this.isFull) return;
        this.#valuesLeft--;
        const child = value[key];
        if (KEYS.has(key) && !Array.isArray(value)) this.add(readIds(child));
        if (isObject(child)) queue.push(child);
      }
    }
  }

  list(): readonly FilterId[] {
    return [...this.#found];
  }
}

function addFromForm(text: string, found: FoundFilters): void {
  let jsonLeft = MOST_JSON_FIELDS;
  for (const [key, value] of new URLSearchParams(text.split('&', MOST_FIELDS).join('&'))) {
    if (isFormKey(key)) found.add(readIds(value));
    // Some tools put their JSON into a field.
    if (/^\s*[{[]/u.test(value) && jsonLeft-- > 0) found.addFromJson(parseJson(value));
    if (found.isFull) return;
  }
}

/**
 * @param query what follows `?` in the URL
 * @param body of any content type
 * @returns distinct IDs, at most `MOST_HINTED_FILTERS`
 */
export function readHint(query: string, body: string): readonly FilterId[] {
  const found = new FoundFilters();
  for (const [key, value] of new URLSearchParams(query)) if (isFormKey(key)) found.add(readIds(value));
  const text = body.replace(/^\uFEFF/u, '');
  const json = parseJson(text);
  if (json === undefined) addFromForm(text, found);
  else found.addFromJson(json);
  return found.list();
}
