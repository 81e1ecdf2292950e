/**
 * Lists in statements, as PostgreSQL writes them: `{"a","b"}`. The driver would ask each new connection for
 * the types of all lists, and a connection that breaks meanwhile would end the process: nothing in the driver
 * handles the error of that question.
 */

/** Numbers of built-in types, from PostgreSQL's `src/include/catalog/pg_type.dat`; they never change. */
const TEXTS = 1009;
const BIGINTS = 1016;

type Item = string | number | bigint | null;

function writeItem(item: Item): string {
  return item === null ? 'null' : `"${String(item).replace(/[\\"]/gu, '\\$&')}"`;
}

export function writeList(items: readonly Item[]): string {
  return `{${items.map(writeItem).join()}}`;
}

/** Of a list without lists in it. Numbers stay text. */
export function readList(text: string): readonly (string | null)[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gsu);
  return [...items].map(([, quoted, plain = '']) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gsu, '$1');
    return plain.toLowerCase() === 'null' ? null : plain;
  });
}

const list = (type: number) => ({ to: type, from: [type], serialize: writeList, parse: readList });

/** For the driver's option `types`. */
export const arrayTypes = { texts: list(TEXTS), bigints: list(BIGINTS) };
