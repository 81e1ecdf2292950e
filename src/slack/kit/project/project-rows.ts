/** Projects as a list, one line each. Pure. */
import type { KnownBlock, SectionBlock } from '@slack/types';
import type { ListedProject } from '../../../marketplace/schema.ts';
import { actionsBlock, buttonElement, joinFacts, sectionBlock } from '../block-builders.ts';
import { actionIds } from '../ids.ts';
import { safeLine } from '../mrkdwn.ts';
import { projectBudgetText } from './project-budget.ts';
import { projectLink } from './project-link.ts';
import { verdictLine } from './verdict-line.ts';

/** `• Title · $500 fixed · Germany`. mrkdwn. */
function projectRow(project: ListedProject): string {
  return joinFacts(
    `• ${projectLink(project, 100)}`,
    projectBudgetText(project.budget),
    project.client.country && safeLine(project.client.country, 40),
    verdictLine(project.verdict, 60),
  );
}

/** At most ten rows per section, so that a long URL can only affect its own section. */
export function projectRows(projects: readonly ListedProject[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < projects.length; from += 3)
    sections.push(
      sectionBlock(
        projects
          .slice(from, from + 3)
          .map(projectRow)
          .join('\n'),
      ),
    );
  return sections;
}

/** Rows with buttons: two blocks per project. */
export function projectRowsWithButtons(projects: readonly ListedProject[]): KnownBlock[] {
  return projects.flatMap((project) => [
    sectionBlock(projectRow(project)),
    actionsBlock([
      buttonElement({
        id: actionIds.resultBid,
        label: 'Bid',
        value: project.key,
        accessibilityLabel: `Bid on ${project.title}`,
      }),
      buttonElement({
        id: actionIds.resultDetails,
        label: 'Details',
        value: project.key,
        accessibilityLabel: `Details of ${project.title}`,
      }),
    ]),
  ]);
}
