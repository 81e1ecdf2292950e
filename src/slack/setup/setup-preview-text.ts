/** What a preview of rules found, in words. Pure. */
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import { joinLines } from '../kit/block-builders.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import type { Preview } from './setup-forms.ts';

/** The most that asking the marketplace for a preview costs: one page. */
export const PREVIEW_COST = MIN_PROJECTS_PAGE_SIZE;

const LONGEST_TITLE = 90;

/** mrkdwn. */
export function previewText({ filter, rules, known, posted, titles, charged, failure }: Preview): string {
  if (failure !== undefined) return failure;
  if (known === 0)
    return charged === undefined
      ? `Gigdesk hasn't seen any projects of filter ${filter} yet. ` +
          `To preview, it can read the newest ones: that costs up to ${formatCount(PREVIEW_COST, 'credit')}.`
      : `The marketplace shows no projects of filter ${filter} yet, so there is nothing to preview.`;
  const cost = charged === undefined ? undefined : `This preview cost ${formatCount(charged, 'credit')}.`;
  return joinLines(
    `Of the last ${formatCount(known, 'project')} of this filter, *${formatNumber(posted)} would be posted*` +
      `${rules ? ` with the rules ${codeText(rules, 300)}` : ''}.`,
    ...titles.map((title) => `• ${safeLine(title, LONGEST_TITLE) || 'Untitled project'}`),
    cost,
  );
}
