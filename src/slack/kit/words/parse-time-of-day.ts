/** Parses a time of day as people type it. Pure. */

const NAMED: Readonly<Record<string, number>> = { noon: 12 * 60, midday: 12 * 60, midnight: 0 };

/** Within other words: not part of a name (`Etc/GMT+5`) or of a longer number. */
const TIME = new RegExp(
  String.raw`(?<![\p{L}\d_/+:.-])(?:at )?` +
    String.raw`(noon|midday|midnight|\d{1,4}(?:[:.h]\d{1,3})?` +
    String.raw`(?: ?(?:[ap]\.?m?\.?(?![\p{L}/]))| ?o['’]?clock|h(?![\p{L}]))?)` +
    String.raw`(?![\p{L}\d_/:])`,
  'u',
);

/** The first time of day in a lowercase text, and the text around it. */
export function extractTimeOfDay(text: string): { readonly time: string; readonly rest: string } | undefined {
  const found = TIME.exec(text);
  if (!found?.[1]) return undefined;
  return {
    time: found[1].trim(),
    rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim(),
  };
}

const WRITTEN = /^(\d{1,2})(?:[:.h](\d{2}))?h? ?(?:([ap])\.?m?\.?|o['’]?clock)?$/u;
const TOGETHER = /^(\d{2})(\d{2})$/u;

/** `9`, `9:00`, `09.00`, `0900`, `9am`, `9:30 pm`, `noon`: the minute of the day, 0 to 1439. `24:00` is 0. */
export function parseTimeOfDay(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  if (Object.hasOwn(NAMED, typed)) return NAMED[typed];
  const [, hours = '', minutes = '0', half] = TOGETHER.exec(typed) ?? WRITTEN.exec(typed) ?? [];
  if (hours === '') return undefined;
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (minute > 59) return undefined;
  if (half === undefined) return hour < 24 ? hour * 60 + minute : hour === 24 && minute === 0 ? 0 : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return ((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute;
}
