/** Replaces emoji names with their characters before lines are measured. Pure. */
import { isJsonObject, stringOrUndefined } from '../json-reading.ts';

/** The character for a name; undefined for an unknown name. */
export type EmojiResolver = (name: string) => string | undefined;

export function replaceEmojiNames(text: string, signOf: EmojiResolver): string {
  return text.replaceAll(
    /:([a-z0-9_+'-]{1,60}):/giu,
    (all, name: string) => signOf(name.toLowerCase()) ?? all,
  );
}

/** Replaces names in all texts of a block, but not in its values. */
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
