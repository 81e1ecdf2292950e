/**
 * Possible behaviors of the real services: where the API description is open, the dice choose for the whole
 * soak.
 */
import { DAY } from '../../src/clock.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import type { Dice } from './dice.ts';

/** Modes that no service keeps forever: `storms.ts` sets them for a time. */
export const FOR_A_TIME = [
  'missingFields',
  'nullFields',
] as const satisfies readonly (keyof MarketplaceModes)[];

type Lasting = Exclude<keyof MarketplaceModes, (typeof FOR_A_TIME)[number]>;

/** The values of each mode that stays fixed while a service runs; the first is the simulator's default. */
export const ANSWERS: { readonly [Name in Lasting]: readonly MarketplaceModes[Name][] } = {
  ignoreLatestPublishedTs: [false, false, true],
  inclusiveLatestPublishedTs: [false, true],
  lossyCursor: [false, true],
  refuseLimit: [false, false, true],
  extraFields: [false, true],
  nullsForEmpty: [false, true],
  redirectUrls: [false, false, true],
  skillsAsArray: [false, true],
  oldestFirst: [false, false, true],
  lists: ['absent', 'data', 'plural', 'bare'],
  milliseconds: [false, true],
  pageWidth: ['charged', 'returned', 'limit'],
  vagueRefusals: [false, true],
  silentMarks: [false, true],
  refuseFarMarks: [false, false, true],
  skippedIsNoSuccess: [false, 200, 400],
  dateAhead: [0, 0, 'absent', 400 * DAY, -3 * DAY],
  senders: ['flat', 'organization-name', 'org', 'people'],
  verdictFlags: [false, true],
  emptyResultsNotFound: [false, true],
  longestJobText: [Number.POSITIVE_INFINITY, 1_000],
  reviewWords: [
    'usual',
    'pending',
    'in review',
    'awaiting',
    'needs',
    'approval',
    'by the AI',
    'in the label',
    'unclear',
  ],
  resetDate: ['fixed', 'fixed', 'rolling', 'sometimes-wrong'],
  echoedJobIds: [false, true],
};

/** One marketplace: the same for all days of a soak. */
export function drawService(dice: Dice): Partial<MarketplaceModes> {
  const drawn = Object.entries(ANSWERS).map(([name, answers]) => [name, dice.pick<unknown>(answers)]);
  return Object.fromEntries(drawn);
}

export interface SlackService {
  readonly historyLimit: Parameters<SimulatedSlack['setHistoryLimit']>[0];
  readonly optionalFields: Parameters<SimulatedSlack['setOptionalFields']>[0];
}

/** One Slack, for the same time. */
export function drawSlack(dice: Dice): SlackService {
  return {
    historyLimit: dice.pick(['usual', 'strict']),
    optionalFields: dice.pick(['sent', 'left-out']),
  };
}
