/**
 * The preview of a shared link. Shows only public marketplace data, since guests and other companies read it,
 * too. Pure.
 */
import type { ListedProject } from '../../marketplace/schema.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatTimeAgo } from '../kit/mrkdwn.ts';
import { clientLine } from '../kit/project/client.ts';
import { projectBudgetText, projectLink, skillsLine } from '../kit/project/project-lines.ts';

/**
 * Leaves out the verdict, warnings, filters, claims and bids, which belong to the team.
 * @param url as posted: the URL from a filter's list may name the filter. mrkdwn.
 */
export function unfurlText(project: ListedProject, url: string): string {
  const { title, budget, client, skills, publishedAt } = project;
  return joinLines(
    joinFacts(`*${projectLink({ title, url })}*`, projectBudgetText(budget)),
    joinFacts(clientLine(client), publishedAt === undefined ? undefined : formatTimeAgo(publishedAt)),
    skillsLine(skills),
  );
}
