/**
 * Labels for groups of proposals. Names of templates, variants and profiles are strangers' text. All results
 * are mrkdwn. Pure.
 */
import type { GroupDimension, GroupKey, NumberBand } from '../../statistics/groups.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { codeText } from '../kit/query-error.ts';
import { profileName } from '../kit/words/profiles.ts';
import { MOST_STATS_DAYS } from './stats-values.ts';

const LONGEST_NAME = 80;
const LONGEST_VARIANT = 40;

/** For the menu of dimensions, and after “By”. */
export const STATS_DIMENSION_LABELS: Readonly<Record<GroupDimension, string>> = {
  template: 'template',
  variant: 'letter variant',
  boost: 'boost',
  position: 'position',
  profile: 'profile',
  weekday: 'weekday',
};

/** For a dimension that is unknown for all proposals. */
export const MISSING_DIMENSION_TEXTS: Readonly<Record<GroupDimension, string>> = {
  template: 'None of these proposals use a template.',
  variant: 'None of these proposals have a letter variant.',
  boost: 'No boost data for these proposals.',
  position: 'No position data for these proposals.',
  profile: 'No profile data for these proposals.',
  weekday: 'No send dates for these proposals.',
};

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function bandText({ from, to }: NumberBand): string {
  if (to === undefined) return `${formatNumber(from)} or more`;
  return from === 0 ? `up to ${formatNumber(to)}` : `${formatNumber(from)} to ${formatNumber(to)}`;
}

function templateText(template: { readonly id: number; readonly name?: string | undefined } | undefined) {
  if (!template) return 'no template';
  const name = safeLine(template.name ?? '', LONGEST_NAME);
  return name ? `“${name}” (${template.id})` : `template ${template.id}`;
}

/** `“Short pitch” (12)`, `Boost 11 to 20 connects`, `Monday`. */
export function statsGroupName(key: GroupKey): string {
  switch (key.dimension) {
    case 'template':
      return key.template ? templateText(key.template) : 'Without a template';
    case 'variant':
      return `${templateText(key.template)}, variant ${safeLine(key.variant, LONGEST_VARIANT)}`;
    case 'boost':
      return key.band.to === 0 ? 'No boost' : `Boost ${bandText(key.band)}`;
    case 'position':
      return `Position ${bandText(key.band)}`;
    case 'profile':
      return profileName(key.profile);
    case 'weekday':
      return WEEKDAYS[key.weekday - 1] ?? `Day ${formatNumber(key.weekday)}`;
  }
}

/** How to see a longer period than `days`; undefined if there is none. */
export function longerPeriodHint(days: number): string | undefined {
  const longer = [90, MOST_STATS_DAYS].find((more) => more > days);
  return longer === undefined
    ? undefined
    : `Look back ${formatCount(longer, 'day')} with ${codeText(`${SLASH_COMMAND} stats ${longer}`)}.`;
}
