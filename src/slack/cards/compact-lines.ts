/** A project in two lines, for compact cards. Pure. */
import type { NamedFilter } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { joinFacts } from '../kit/block-builders.ts';
import { formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { clientSpendText, ratingText } from '../kit/project/client.ts';
import { projectBudgetText, projectLink, verdictLine } from '../kit/project/project-lines.ts';
import { listProjectRedFlags } from '../kit/project/red-flags.ts';
import { filterNames } from '../kit/words/filters.ts';

export interface CompactCardFacts {
  readonly seen: { readonly project: ListedProject };
  readonly filters: readonly NamedFilter[];
}

/** Shows only the first red flag: two lines have no room for more. mrkdwn. */
function flagText(project: ListedProject): string | undefined {
  const [first, ...more] = listProjectRedFlags(project);
  if (!first) return undefined;
  return `:triangular_flag_on_post: ${first}${more.length > 0 ? ` +${more.length}` : ''}`;
}

export function compactCardText({ seen, filters }: CompactCardFacts): string {
  const { project } = seen;
  const { client } = project;
  const top = joinFacts(`*${projectLink(project)}*`, projectBudgetText(project.budget));
  const below = joinFacts(
    client.country && safeLine(client.country, 40),
    ratingText(client),
    clientSpendText(client),
    verdictLine(project.verdict, 80),
    flagText(project),
    project.publishedAt === undefined ? undefined : formatTimeAgo(project.publishedAt),
    filters.length > 0 ? filterNames(filters.slice(0, 3)) : undefined,
  );
  return below ? `${top}\n${below}` : top;
}
