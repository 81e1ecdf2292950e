/** Rules for all that the app shows in any whole-app test, besides Slack's limits, which it checks itself. */
import { objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import type { JsonObject, LoggedApiCall } from '../../src/workbench/slack/objects.ts';

const EMOJI = /:[a-z0-9_+-]{2,}:|\p{Extended_Pictographic}/u;
/** Words that Title Case leaves small, except at the start. */
const SMALL = new Set('a an and at by for from in of on or the to with'.split(' '));
const LONGEST_LABEL_WORDS = 3;
/** What they do must be clear without their message. */
const LONG_LABELS: readonly string[] = ['Connect Your Marketplace Account', 'Set Up This Channel'];
const DATE = /<!date\^[^>]*>/gu;
const BARE_TIME = /\b\d{1,2}:\d{2} [AP]M UTC\b/u;
/** Calls of people at large, links to hostile pages, and what a program prints by mistake. */
const INDECENT = /<!(?:channel|here|everyone)|<https?:\/\/evil|at .*\.ts:\d|\bundefined\b|\bNaN\b|\[object /u;

/** @throws Error with the first thing that goes against a rule */
export function expectDecentCalls(calls: readonly LoggedApiCall[]): void {
  for (const { method, args } of calls) {
    const { blocks, view, text } = args;
    const shown = [parsed(blocks), parsed(view), { type: 'mrkdwn', text }].flatMap(everyObject);
    const primary = shown.filter((it) => it['type'] === 'button' && it['style'] === 'primary');
    const found = shown.map(problemOf).find((problem) => problem !== undefined);
    const isCrowded = view === undefined && primary.length > 1;
    const problem = found ?? (isCrowded ? `${primary.length} primary buttons` : undefined);
    if (problem !== undefined) throw new Error(`${method}: ${problem} in ${JSON.stringify(args)}`);
  }
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/u.test(value) ? JSON.parse(value) : value;
}

/** Every object in it, outside in. */
function everyObject(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(everyObject);
  const own = objectOrEmpty(value);
  return Object.keys(own).length > 0 ? [own, ...Object.values(own).flatMap(everyObject)] : [];
}

function problemOf(it: JsonObject): string | undefined {
  const own = it['text'];
  const text = stringOrUndefined(own) ?? stringOrUndefined(objectOrEmpty(own)['text']) ?? '';
  if (it['type'] === 'button') return problemOfLabel(text);
  if (it['type'] === 'header' && EMOJI.test(text)) return `emoji in the header “${text}”`;
  if (it['type'] === 'image' && !it['alt_text']) return 'an image without a description';
  if (it['type'] !== 'mrkdwn') return undefined;
  if (BARE_TIME.test(text.replaceAll(DATE, ''))) return `a time that is not in the reader's zone: ${text}`;
  return INDECENT.test(text) ? `not for people: ${text}` : undefined;
}

function problemOfLabel(label: string): string | undefined {
  // A price in brackets is part of what a person decides on.
  const words = label.replace(/ \(.*\)$/u, '').split(' ');
  const isTitle = words.every((word, at) => (at > 0 && SMALL.has(word)) || !/^\p{Ll}/u.test(word));
  if (EMOJI.test(label)) return `emoji in the button “${label}”`;
  if (!isTitle) return `the button “${label}” is not in Title Case`;
  return words.length > LONGEST_LABEL_WORDS && !LONG_LABELS.includes(label)
    ? `the button “${label}” is long`
    : undefined;
}
