/** Reads JSON without the keys that could reach an object's prototype. */
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

/** Such a key can also be written with escaped letters, for which there is no other reason. */
const SUSPICIOUS = /__proto__|constructor|prototype|\\u00(5f|6|7)/i;

/** The value; undefined when it is no JSON. Dangerous keys are left out at every depth. */
export function parseSafeJson(source: string): unknown {
  try {
    const value: unknown = JSON.parse(source);
    if (SUSPICIOUS.test(source)) dropDangerous(value);
    return value;
  } catch {
    return undefined;
  }
}

/** With a list of what is left to visit: JSON can be deeper than calls can be. As own keys they do no harm until then. */
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
