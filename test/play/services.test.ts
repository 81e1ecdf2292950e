import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { DEFAULT_MARKETPLACE_MODES } from '../../src/workbench/marketplace/faults.ts';
import { Dice } from './dice.ts';
import { ANSWERS, drawService, drawSlack, FOR_A_TIME } from './services.ts';

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

function drawAll<T>(draw: (dice: Dice) => T): readonly T[] {
  return SEEDS.map((seed) => draw(new Dice(seed, new ManualClock())));
}

describe('the soak draws', () => {
  it.each(Object.keys(DEFAULT_MARKETPLACE_MODES))('the mode %s, for life or for a time', (mode) => {
    expect([...Object.keys(ANSWERS), ...FOR_A_TIME]).toContain(mode);
  });

  it.each(Object.entries(ANSWERS))('every answer of %s, the usual one first, and others', (mode, answers) => {
    const drawn = new Set<unknown>(drawAll(drawService).map((modes) => modes[mode as keyof typeof modes]));
    expect(drawn).toEqual(new Set<unknown>(answers));
    expect(answers[0]).toBe(DEFAULT_MARKETPLACE_MODES[mode as keyof typeof DEFAULT_MARKETPLACE_MODES]);
    expect(drawn.size).toBeGreaterThan(1);
  });

  it('both answers of each setting of Slack', () => {
    const drawn = drawAll(drawSlack);
    expect(new Set(drawn.map((it) => it.historyLimit))).toEqual(new Set(['usual', 'strict']));
    expect(new Set(drawn.map((it) => it.optionalFields))).toEqual(new Set(['sent', 'left-out']));
  });
});
