/** A project in two lines, for cards of the compact density. */
import type { NamedFilter } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { budgetLabel } from './budget-label.ts';
import { ratingText, spentText } from './client-line.ts';
import { filterNames } from './filter-name.ts';
import { line } from './parts.ts';
import { projectLink } from './project-link.ts';
import { redFlags } from './red-flags.ts';
import { verdictLine } from './verdict-line.ts';
import { ago } from './when.ts';

export interface CompactProject {
  readonly seen: { readonly project: ListedProject };
  readonly filters: readonly NamedFilter[];
}

/** The first red flag stands for all: two lines have no room for more. mrkdwn. */
function flagText(project: ListedProject): string | undefined {
  const [first, ...more] = redFlags(project);
  if (!first) return undefined;
  return `:triangular_flag_on_post: ${first}${more.length > 0 ? ` +${more.length}` : ''}`;
}

export function compactLines({ seen, filters }: CompactProject): string {
  const { project } = seen;
  const { client } = project;
  const top = line(`*${projectLink(project)}*`, budgetLabel(project.budget));
  const below = line(
    client.country && safeLine(client.country, 40),
    ratingText(client),
    spentText(client),
    verdictLine(project.verdict, 80),
    flagText(project),
    project.publishedAt === undefined ? undefined : ago(project.publishedAt),
    filters.length > 0 ? filterNames(filters.slice(0, 3)) : undefined,
  );
  return below ? `${top}\n${below}` : top;
}
