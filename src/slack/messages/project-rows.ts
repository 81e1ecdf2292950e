/** Projects as a list, one line each. */
import type { SectionBlock } from '@slack/types';
import type { ListedProject } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { budgetLabel } from './budget-label.ts';
import { line, section } from './parts.ts';
import { projectLink } from './project-link.ts';
import { verdictLine } from './verdict-line.ts';

/** `• Title · $500 fixed · Germany`. mrkdwn. */
function projectRow(project: ListedProject): string {
  return line(
    `• ${projectLink(project, 100)}`,
    budgetLabel(project.budget),
    project.client.country && safeLine(project.client.country, 40),
    verdictLine(project.verdict, 60),
  );
}

/** At most ten rows a section, so that a long address costs its own section alone. */
export function projectRows(projects: readonly ListedProject[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < projects.length; from += 3)
    sections.push(
      section(
        projects
          .slice(from, from + 3)
          .map(projectRow)
          .join('\n'),
      ),
    );
  return sections;
}
