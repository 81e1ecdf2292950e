/** Parses JSON and drops keys that could reach an object's prototype. */
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

/**
 * Also matches such keys when escapes hide some of their letters; there is no other reason for such escapes.
 */
const SUSPICIOUS = /__proto__|constructor|prototype|\\u00(5f|6|7)/i;

/** The value; undefined for invalid JSON. Drops dangerous keys at every depth. */
export function parseSafeJson(source: string): unknown {
  try {
    const value: unknown = JSON.parse(source);
    if (SUSPICIOUS.test(source)) dropDangerous(value);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * Uses a worklist, since JSON can be deeper than the call stack. As own keys they are harmless until dropped.
 */
function dropDangerous(value: unknown): void {
  const left: object[] = [];
  const visit = (each: unknown) => {
    if (typeof each === 'object' && each !== null) left.push(each);
  };
  visit(value);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const key of DANGEROUS) Reflect.deleteProperty(next, key);
    for (const each of Object.values(next)) visit(each);
  }
}
