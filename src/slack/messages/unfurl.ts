/** What a shared link shows: what anybody could read on the marketplace, since guests and other companies read it, too. */
import type { ListedProject } from '../../marketplace/schema.ts';
import { budgetLabel } from './budget-label.ts';
import { clientLine } from './client-line.ts';
import { line, lines } from './parts.ts';
import { projectLink } from './project-link.ts';
import { skillsLine } from './skills-line.ts';
import { ago } from './when.ts';

/**
 * Leaves out verdict, warnings, filters, claims and bids, which are the team's.
 * @param url as it was posted: the address that a filter's list gave may name the filter. mrkdwn.
 */
export function unfurlText(project: ListedProject, url: string): string {
  const { title, budget, client, skills, publishedAt } = project;
  return lines(
    line(`*${projectLink({ title, url })}*`, budgetLabel(budget)),
    line(clientLine(client), publishedAt === undefined ? undefined : ago(publishedAt)),
    skillsLine(skills),
  );
}
