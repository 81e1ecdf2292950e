import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../../src/schedule/local-time.ts';
import { parseDigestArguments } from '../../../src/slack/digests/digest-answers.ts';
import { parseTimezone } from '../../../src/slack/kit/words/parse-time.ts';

const NINE = 9 * 60;
const EVENING = 21 * 60 + 30;

describe('an hour is understood however it is typed', () => {
  it.each([
    ['at 09:00', NINE],
    ['9', NINE],
    ['9:00', NINE],
    ['9am', NINE],
    ['9 a.m.', NINE],
    ['09.00', NINE],
    ['at 9', NINE],
    ['0900', NINE],
    ['9h', NINE],
    ["at 9 o'clock", NINE],
    ['AT 9AM', NINE],
    ['9:30pm', EVENING],
    ['9.30 PM', EVENING],
    ['21h30', EVENING],
    ['noon', 12 * 60],
    ['12am', 0],
    ['12pm', 12 * 60],
    ['midnight', 0],
    ['24:00', 0],
    ['23:59', 24 * 60 - 1],
  ])('%s', (typed, minute) => {
    expect(parseDigestArguments(typed)).toEqual({ kind: 'at', minute });
  });

  it.each(['at 25:00', '13pm', '0am', '9:60', '9:5', '2460', '99999 at', '999'])('%s is none', (typed) => {
    expect(parseDigestArguments(typed).kind).toMatch(/^(?:wrong|no)-time$/u);
  });
});

describe('a zone and the days stand anywhere', () => {
  const inBerlin = { kind: 'at', minute: NINE, timezone: 'Europe/Berlin' };
  it.each([
    ['at 09:00 Europe/Berlin', inBerlin],
    ['at 9 berlin', inBerlin],
    ['9:00 in EUROPE / BERLIN', inBerlin],
    ['Berlin 9am', inBerlin],
    ['at 9 (Berlin)', inBerlin],
    ['at 9 Berlin time', inBerlin],
    ['at 09:00 Europe/Berlin weekdays', { ...inBerlin, days: 'weekdays' }],
    ['weekdays at 9 Berlin', { ...inBerlin, days: 'weekdays' }],
    ['Mon-Fri 9:00, Berlin', { ...inBerlin, days: 'weekdays' }],
    ['daily at 9 Berlin on weekdays', { ...inBerlin, days: 'weekdays' }],
    ['every day at 9 Berlin', { ...inBerlin, days: 'daily' }],
    ['daily 9', { kind: 'at', minute: NINE, days: 'daily' }],
    ['9 new york', { kind: 'at', minute: NINE, timezone: 'America/New_York' }],
    ['9 Kolkata', { kind: 'at', minute: NINE, timezone: 'Asia/Kolkata' }],
    ['9 europe/kyiv', { kind: 'at', minute: NINE, timezone: 'Europe/Kyiv' }],
    ['9 Japan', { kind: 'at', minute: NINE, timezone: 'Japan' }],
    ['9 utc', { kind: 'at', minute: NINE, timezone: 'UTC' }],
  ])('%s', (typed, read) => {
    expect(parseDigestArguments(typed)).toEqual(read);
  });
});

const noZone = (typed: string, read: object) => ({ kind: 'no-zone', typed, read, minute: NINE });

describe('what names no place is told apart from what is unknown', () => {
  it.each([
    ['9 CET', noZone('CET', { kind: 'abbreviation', instead: 'Europe/Berlin' })],
    ['9am EST', noZone('EST', { kind: 'abbreviation', instead: 'America/New_York' })],
    ['9 UTC+2', noZone('UTC+2', { kind: 'offset' })],
    ['9 +05:30', noZone('+05:30', { kind: 'offset' })],
    ['9 Etc/GMT+5', noZone('Etc/GMT+5', { kind: 'offset' })],
    ['9 Berln', noZone('Berln', { kind: 'unknown', meant: 'Europe/Berlin' })],
    ['9 Europe/Berln', noZone('Europe/Berln', { kind: 'unknown', meant: 'Europe/Berlin' })],
    ['9 Xyzzyville', noZone('Xyzzyville', { kind: 'unknown' })],
    ['9 __proto__', noZone('__proto__', { kind: 'unknown' })],
    ['9 constructor', noZone('constructor', { kind: 'unknown' })],
    ['tomorrow', { kind: 'no-time', typed: 'tomorrow' }],
    ['weekdays', { kind: 'no-time', typed: 'weekdays' }],
    ['at', { kind: 'no-time', typed: 'at' }],
  ])('%s', (typed, read) => {
    expect(parseDigestArguments(typed)).toEqual(read);
  });
});

it.each([
  ['', 'show'],
  ['  ', 'show'],
  ['now', 'now'],
  ['NOW', 'now'],
  ['off', 'off'],
  ['stop', 'off'],
])('“%s” is to %s', (typed, kind) => {
  expect(parseDigestArguments(typed)).toEqual({ kind });
});

it('whatever is typed is read at once, and a zone that is found is one', () => {
  const words = fc.constantFrom(
    'at',
    '9',
    '9:00',
    'am',
    'Berlin',
    'CET',
    'daily',
    '/',
    '+',
    '<!channel>',
    "'",
    '\n',
  );
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const read = parseDigestArguments(text);
      if (read.kind !== 'at') return;
      expect(read.minute).toBeGreaterThanOrEqual(0);
      expect(read.minute).toBeLessThan(24 * 60);
      expect(read.timezone === undefined || isTimezone(read.timezone)).toBe(true);
    }),
  );
});

it('every zone of this machine is found by its name, and says so in its own spelling', () => {
  for (const name of Intl.supportedValuesOf('timeZone'))
    expect(parseTimezone(` ${name.toLowerCase()} `)).toEqual({ kind: 'zone', timezone: name });
});
