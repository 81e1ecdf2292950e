/** Freezes and compares plain JSON values. */

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

function sameObject(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const other = b as Record<string, unknown>;
  return Object.entries(a).every(
    ([name, inner]) => Object.hasOwn(other, name) && sameJson(inner, other[name]),
  );
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return sameObject(a, b);
}
