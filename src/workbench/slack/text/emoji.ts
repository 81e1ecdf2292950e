/** Names of emoji become their signs, before lines are measured. Pure. */
import { isJsonObject, stringOrUndefined } from '../json-reading.ts';

/** The sign behind a name; undefined when there is no such emoji. */
export type EmojiResolver = (name: string) => string | undefined;

export function replaceEmojiNames(text: string, signOf: EmojiResolver): string {
  return text.replaceAll(
    /:([a-z0-9_+'-]{1,60}):/giu,
    (all, name: string) => signOf(name.toLowerCase()) ?? all,
  );
}

/** The same of all that a block says; what it does stays as it is. */
export function replaceEmojiNamesDeep<T>(value: T, signOf: EmojiResolver): T;
export function replaceEmojiNamesDeep(value: unknown, signOf: EmojiResolver): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => replaceEmojiNamesDeep(each, signOf));
  if (!isJsonObject(value)) return value;
  const sign = value['type'] === 'emoji' ? signOf(stringOrUndefined(value['name']) ?? '') : undefined;
  if (sign !== undefined) return { type: 'text', text: sign };
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key,
      key === 'text' && typeof inside === 'string'
        ? replaceEmojiNames(inside, signOf)
        : replaceEmojiNamesDeep(inside, signOf),
    ]),
  );
}
