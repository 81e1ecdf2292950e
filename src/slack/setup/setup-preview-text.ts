/** What a preview of rules on a filter's newest projects found, in words. Pure. */
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import { previewRules } from '../../feed/decide-card.ts';
import type { FilterId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import type { Preview } from './setup-forms.ts';

/** The most that asking the marketplace for a preview costs: one page. */
export const PREVIEW_COST = MIN_PROJECTS_PAGE_SIZE;

const MOST_TITLES = 5;
const LONGEST_TITLE = 90;

/** @param charged set after asking the marketplace */
export function previewProjects(
  filter: FilterId,
  rules: string,
  projects: readonly ListedProject[],
  charged?: number,
): Preview {
  if (projects.length === 0 && charged === undefined) {
    const none = `Gigdesk hasn't seen any projects of filter ${filter} yet. `;
    const cost = `To preview, it can read the newest ones for up to ${formatCount(PREVIEW_COST, 'credit')}.`;
    return { rows: [none + cost], isPaid: true };
  }
  if (projects.length === 0)
    return {
      rows: [`The marketplace shows no projects of filter ${filter} yet, so there is nothing to preview.`],
    };
  const { posted } = previewRules(projects, { rules });
  const withRules = rules ? ` with the rules ${codeText(rules, 300)}` : '';
  return {
    rows: [
      `Of the last ${formatCount(projects.length, 'project')} of this filter, ` +
        `*${formatNumber(posted.length)} would be posted*${withRules}.`,
      ...posted
        .slice(0, MOST_TITLES)
        .map(({ title }) => `• ${safeLine(title, LONGEST_TITLE) || 'Untitled project'}`),
      ...(charged === undefined ? [] : [`This preview cost ${formatCount(charged, 'credit')}.`]),
    ],
  };
}
