/** What the real service may be like: where the description of its API leaves something open, the dice choose an answer. */
import type { Modes } from '../../src/workbench/marketplace/faults.ts';
import type { Dice } from './dice.ts';

/** Of the modes that do not change while a service runs, each with its answers; the first is the simulator's usual one. */
const ANSWERS: { readonly [Name in keyof Modes]?: readonly Modes[Name][] } = {
  inclusiveLatestPublishedTs: [false, true],
  refuseLimit: [false, false, true],
  extraFields: [false, true],
  nullsForEmpty: [false, true],
  skillsAsArray: [false, true],
  oldestFirst: [false, false, true],
  lists: ['absent', 'data', 'plural', 'bare'],
  milliseconds: [false, true],
  pageWidth: ['charged', 'returned', 'limit'],
  vagueRefusals: [false, true],
  silentMarks: [false, true],
  refuseFarMarks: [false, false, true],
  skippedIsNoSuccess: [false, 200, 400],
  senders: ['flat', 'organization-name', 'org', 'people'],
  verdictFlags: [false, true],
  emptyResultsNotFound: [false, true],
  reviewWords: [
    'usual',
    'pending',
    'in review',
    'awaiting',
    'needs',
    'approval',
    'by the AI',
    'in the label',
  ],
  resetDate: ['fixed', 'fixed', 'rolling'],
};

/** One service: the same for all days of a soak. */
export function drawService(dice: Dice): Partial<Modes> {
  const drawn = Object.entries(ANSWERS).map(([name, answers]) => [name, dice.pick<unknown>(answers)]);
  return Object.fromEntries(drawn);
}
