/** Reads JSON without the keys that could reach an object's prototype. */
const DANGEROUS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Such a key can also be written with escaped letters, for which there is no other reason. */
const SUSPICIOUS = /__proto__|constructor|prototype|\\u00(5f|6|7)/i;

/** The value; undefined when it is no JSON. Dangerous keys are left out at every depth. */
export function parseJson(source: string): unknown {
  try {
    if (!SUSPICIOUS.test(source)) return JSON.parse(source);
    return JSON.parse(source, (key, value: unknown) => (DANGEROUS.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}
