/** Names of emoji become their signs, before lines are measured. Pure. */
import { isObject, textOf } from '../reading.ts';

/** The sign behind a name; undefined when there is no such emoji. */
export type SignOf = (name: string) => string | undefined;

export function signsIn(text: string, signOf: SignOf): string {
  return text.replaceAll(
    /:([a-z0-9_+'-]{1,60}):/giu,
    (all, name: string) => signOf(name.toLowerCase()) ?? all,
  );
}

/** The same of all that a block says; what it does stays as it is. */
export function withSigns<T>(value: T, signOf: SignOf): T;
export function withSigns(value: unknown, signOf: SignOf): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withSigns(each, signOf));
  if (!isObject(value)) return value;
  const sign = value['type'] === 'emoji' ? signOf(textOf(value['name']) ?? '') : undefined;
  if (sign !== undefined) return { type: 'text', text: sign };
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key,
      key === 'text' && typeof inside === 'string' ? signsIn(inside, signOf) : withSigns(inside, signOf),
    ]),
  );
}
