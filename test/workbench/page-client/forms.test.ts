/** Forms: typed text when the view changes, options, remaining length, and chosen times. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterGroups,
  listOptionGroups,
  nextMarkedIndex,
  toggleOption,
} from '../../../src/workbench/page/client/options.ts';
import { remainingLengthNote } from '../../../src/workbench/page/client/remaining-length.ts';
import { formatRelativeTime, timeFormatterForZone } from '../../../src/workbench/page/client/time-format.ts';
import {
  currentElementValue,
  currentElementValues,
  filterInputForUpdatedBlocks,
  toPageInputValues,
  type UnsentInput,
} from '../../../src/workbench/page/client/unsent-input.ts';
import { anElement, anInput } from './shown.ts';

describe('what was typed when a view is updated', () => {
  const typed: UnsentInput = new Map([
    ['name.value', 'Calm'],
    ['rate.value', '45'],
  ]);
  const before = [anInput('name'), anInput('rate')];

  it('stays where block and action stay, wherever they are now', () => {
    const after = [anInput('rate'), anInput('new'), anInput('name')];
    expect(filterInputForUpdatedBlocks(typed, before, after)).toEqual(typed);
  });

  it('goes where the block has a new id, or became another kind of element', () => {
    const after = [anInput('name:2'), anInput('rate', { type: 'number' })];
    expect(filterInputForUpdatedBlocks(typed, before, after).size).toBe(0);
  });

  it('goes before what the app put there, and an emptied field stays empty', () => {
    const element = anElement({ current: 'from the app' });
    expect(currentElementValue(element, new Map())).toBe('from the app');
    expect(currentElementValue(element, typed)).toBe('Calm');
    expect(currentElementValue(element, new Map([['name.value', null]]))).toBeNull();
  });

  it('is sent by block and action', () => {
    expect(toPageInputValues(typed)).toEqual({ 'name.value': 'Calm', 'rate.value': '45' });
  });

  it('one value and several are read alike', () => {
    expect(currentElementValues(anElement({ current: 'a' }), new Map())).toEqual(['a']);
    expect(currentElementValues(anElement({ current: ['a', 'b'] }), new Map())).toEqual(['a', 'b']);
    expect(currentElementValues(anElement(), new Map())).toEqual([]);
  });
});

describe('choosing', () => {
  const options = [
    { text: 'Zürich office', value: 'z' },
    { text: 'Berlin', value: 'b', description: 'the old office' },
    { text: 'Oslo', value: 'o' },
  ];
  const found = (query: string) =>
    filterGroups(listOptionGroups({ options }), query).flatMap((group) =>
      group.options.map(({ value }) => value),
    );

  it('every word must be there, in the text or below it; accents and case are forgiven', () => {
    expect(found('')).toEqual(['z', 'b', 'o']);
    expect(found('OFFICE')).toEqual(['z', 'b']);
    expect(found('zurich off')).toEqual(['z']);
    expect(found('paris')).toEqual([]);
  });

  it('groups without a fitting option are left out', () => {
    const groups = [
      { label: 'North', options: [{ text: 'Oslo', value: 'o' }] },
      { label: 'South', options: [{ text: 'Rome', value: 'r' }] },
    ];
    expect(filterGroups(listOptionGroups({ groups }), 'rome').map(({ label }) => label)).toEqual(['South']);
  });

  it('several are added and taken away in the order of choosing, up to the bound', () => {
    expect(toggleOption(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggleOption(['a', 'b'], 'a')).toEqual(['b']);
    expect(toggleOption(['a', 'b'], 'c', 2)).toEqual(['a', 'b']);
  });

  it('arrow keys go round, and begin at the end that they come from', () => {
    expect([
      nextMarkedIndex(-1, 1, 3),
      nextMarkedIndex(2, 1, 3),
      nextMarkedIndex(-1, -1, 3),
      nextMarkedIndex(0, -1, 3),
    ]).toEqual([0, 0, 2, 2]);
    expect(nextMarkedIndex(-1, 1, 0)).toBe(-1);
  });
});

describe('how much still fits', () => {
  it('is not told while there is room', () => {
    expect(remainingLengthNote(100, { maxLength: 3000 })).toBeUndefined();
    expect(remainingLengthNote(10_000, {})).toBeUndefined();
  });

  it('is told when it gets short, and how much is too much', () => {
    const notes = [2950, 2999, 4200].map((length) => remainingLengthNote(length, { maxLength: 3000 }));
    expect(notes).toMatchSnapshot();
    expect(notes).toEqual([
      { words: expect.stringMatching(/^50 /u), isWrong: false },
      { words: expect.stringMatching(/^1 /u), isWrong: false },
      { words: expect.stringMatching(/^1,200 /u), isWrong: true },
    ]);
  });

  it('what is missing is told once something stands there', () => {
    expect(remainingLengthNote(0, { minLength: 5 })).toBeUndefined();
    expect(remainingLengthNote(3, { minLength: 5 })?.words).toMatch(/^2 /u);
    expect(remainingLengthNote(3, { minLength: 5 })).toMatchSnapshot();
  });
});

describe('moments', () => {
  const berlin = timeFormatterForZone('Europe/Berlin');
  const at = Date.UTC(2026, 10, 20, 23, 30);

  it('are told in the time zone of the person', () => {
    expect(berlin.clockTime(at)).toMatch(/^12:30\sAM$/u);
    expect(timeFormatterForZone('UTC').clockTime(at)).toMatch(/^11:30\sPM$/u);
    expect([berlin.dayKey(at), timeFormatterForZone('UTC').dayKey(at)]).toEqual(['2026-11-21', '2026-11-20']);
  });

  it('days near now have names', () => {
    const day = 24 * 60 * 60_000;
    const names = [at, at - day, at - 2 * day].map((each) => berlin.dayName(each, at));
    expect(names).toEqual(['Today', 'Yesterday', 'Thursday, November 19']);
  });

  it('a zone that nobody knows is no reason to show nothing', () => {
    expect(timeFormatterForZone('Middle/Earth').dayKey(at)).toBe('2026-11-20');
  });

  it('what is written into a field for date and time comes back as the same minute', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC');
    // Not within the hours when clocks are set back, when one reading means two moments.
    const minutes = fc.integer({ min: 28_000_000, max: 31_000_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const { toLocalInput, toSeconds } = timeFormatterForZone(zone);
        const local = toLocalInput(minute * 60);
        const seconds = toSeconds(local);
        expect(seconds === null ? null : toLocalInput(seconds)).toBe(local);
      }),
    );
    expect(timeFormatterForZone('UTC').toSeconds('')).toBeNull();
  });

  it('distances are short', () => {
    const minute = 60_000;
    const said = [-10_000, -3 * minute, 5 * 60 * minute, 5 * 24 * 60 * minute].map((by) =>
      formatRelativeTime(at + by, at),
    );
    expect(said).toEqual(['just now', '3 min ago', 'in 5 hours', 'in 5 days']);
  });
});
