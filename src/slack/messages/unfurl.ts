/** What a shared link shows: what anybody could read on the marketplace, since guests and other companies read it, too. */
import type { ListedProject } from '../../marketplace/schema.ts';
import { joinFacts, joinLines } from './block-builders.ts';
import { clientLine } from './client-line.ts';
import { projectBudgetText } from './project-budget.ts';
import { projectLink } from './project-link.ts';
import { skillsLine } from './skills-line.ts';
import { formatTimeAgo } from './time-ago.ts';

/**
 * Leaves out verdict, warnings, filters, claims and bids, which are the team's.
 * @param url as it was posted: the address that a filter's list gave may name the filter. mrkdwn.
 */
export function unfurlText(project: ListedProject, url: string): string {
  const { title, budget, client, skills, publishedAt } = project;
  return joinLines(
    joinFacts(`*${projectLink({ title, url })}*`, projectBudgetText(budget)),
    joinFacts(clientLine(client), publishedAt === undefined ? undefined : formatTimeAgo(publishedAt)),
    skillsLine(skills),
  );
}
