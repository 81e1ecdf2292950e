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
import { timeFormatterForZone } from '../../../src/workbench/page/client/time-format.ts';
import {
  currentElementValue,
  filterInputForUpdatedBlocks,
  type UnsentInput,
} from '../../../src/workbench/page/client/unsent-input.ts';
import type { ShownBlock, ShownElement } from '../../../src/workbench/page/protocol.ts';

/** As the page's server sends it. */
function anElement(changes: Partial<ShownElement> = {}): ShownElement {
  return { type: 'text', actionId: 'value', blockId: 'name', label: '', ...changes };
}

function anInput(blockId: string, changes: Partial<ShownElement> = {}): ShownBlock {
  const element = anElement({ blockId, ...changes });
  return { kind: 'input', blockId, label: 'Name', optional: false, dispatches: false, element };
}

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
  it('is told when it gets short, and how much is too much', () => {
    const notes = [2950, 2999, 4200].map((length) => remainingLengthNote(length, { maxLength: 3000 }));
    expect(notes).toEqual([
      { words: expect.stringMatching(/^50 /u), isWrong: false },
      { words: expect.stringMatching(/^1 /u), isWrong: false },
      { words: expect.stringMatching(/^1,200 /u), isWrong: true },
    ]);
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
});
