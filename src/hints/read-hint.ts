/**
 * Finds filter IDs in what a tool sends: in the query, or at any depth of a body of JSON or form fields.
 * Everything else in it is ignored. Pure.
 */
import { parseJson } from '../base/parse-json.ts';
import { FilterId } from '../ids.ts';

/** More of one request are ignored. */
export const MOST_HINTED_FILTERS = 100;

const KEYS: ReadonlySet<string> = new Set(['filter', 'filter_id', 'filterId']);
/** Forms write nested fields like this. */
const FORM_KEYS: ReadonlySet<string> = new Set([...KEYS, 'filter[id]', 'filter[]']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function readId(value: unknown): FilterId | undefined {
  const isNumberText = typeof value === 'string' && /^\s{0,9}\d{1,15}\s{0,9}$/u.test(value);
  return FilterId.safeParse(isNumberText ? Number(value) : value).data;
}

/** `7`, `"7"`, `{"id": 7}`, or a list of them. */
function readIds(value: unknown): readonly FilterId[] {
  if (Array.isArray(value))
    return value.slice(0, MOST_HINTED_FILTERS).flatMap((item) => readIdOrObject(item));
  return readIdOrObject(value);
}

function readIdOrObject(value: unknown): readonly FilterId[] {
  const id =
    readId(value) ?? (isObject(value) && Object.hasOwn(value, 'id') ? readId(value['id']) : undefined);
  return id === undefined ? [] : [id];
}

/** Collects distinct IDs up to the maximum. */
class FoundFilters {
  readonly #found = new Set<FilterId>();

  get isFull(): boolean {
    return this.#found.size >= MOST_HINTED_FILTERS;
  }

  add(ids: readonly FilterId[]): void {
    for (const id of ids) if (!this.isFull) this.#found.add(id);
  }

  list(): readonly FilterId[] {
    return [...this.#found];
  }
}

/** Breadth first, without recursion: no depth overflows the stack. */
function addFromJson(root: unknown, found: FoundFilters): void {
  const queue: unknown[] = [root];
  for (let next = 0; next < queue.length && !found.isFull; next++) {
    const value = queue[next];
    if (!isObject(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      if (KEYS.has(key) && !Array.isArray(value)) found.add(readIds(child));
      if (isObject(child)) queue.push(child);
    }
  }
}

function addFromForm(text: string, found: FoundFilters): void {
  for (const [key, value] of new URLSearchParams(text)) {
    if (FORM_KEYS.has(key)) found.add(readIds(value));
    // Some tools put their JSON into a field.
    if (/^\s*[{[]/u.test(value)) addFromJson(parseJson(value), found);
    if (found.isFull) return;
  }
}

/**
 * @param query what follows `?` in the URL
 * @param body of any content type; its size bounds the work
 * @returns distinct IDs, at most `MOST_HINTED_FILTERS`
 */
export function readHint(query: string, body: string): readonly FilterId[] {
  const found = new FoundFilters();
  for (const [key, value] of new URLSearchParams(query)) if (KEYS.has(key)) found.add(readIds(value));
  const text = body.replace(/^\uFEFF/u, '');
  const json = parseJson(text);
  if (json === undefined) addFromForm(text, found);
  else addFromJson(json, found);
  return found.list();
}
