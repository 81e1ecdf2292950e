/** Facts about a project after a lookup, each as a label and a value. Pure. */
import type { ListedProject, LookedUpProject } from '../../../marketplace/schema.ts';
import { joinFacts } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../numbers.ts';
import { formatTimeAgo } from '../time-ago.ts';
import { projectBudgetText } from './project-budget.ts';

/** A project from a list, plus the lookup's data if there was one. */
export type ProjectWithLookup = Omit<ListedProject, 'verdict'> &
  Pick<Partial<ListedProject>, 'verdict'> &
  Partial<Omit<LookedUpProject, keyof ListedProject>>;

function places(project: ProjectWithLookup): string | undefined {
  const listed = project.preferred?.locations.slice(0, 8).map((place) => safeLine(place, 40)) ?? [];
  const only = [project.usOnly ? 'US only' : undefined, project.ukOnly ? 'UK only' : undefined];
  return joinFacts(...only, listed.join(', ')) || undefined;
}

/** A client's preference; empty for “any”. mrkdwn. */
function told(wish: string | undefined): string {
  const text = safeLine(wish ?? '', 40);
  return /^any$/iu.test(text) ? '' : text;
}

/** undefined if the budget's own text already says it. */
function jobType({ jobType: type, budget }: ProjectWithLookup): string | undefined {
  const text = safeLine(type ?? '', 60);
  return projectBudgetText(budget)?.includes(text.toLowerCase()) ? undefined : text;
}

function talent({ preferred }: ProjectWithLookup): string | undefined {
  if (!preferred) return undefined;
  const score = preferred.minJobSuccessScore;
  const english = told(preferred.english);
  const risingTalent = told(preferred.risingTalent);
  const languages = preferred.languages.filter((it) => !(english && /^english$/iu.test(it.trim())));
  return (
    joinFacts(
      score ? `job success ${formatNumber(score)}+` : undefined,
      told(preferred.talentType),
      risingTalent && `rising talent: ${risingTalent.toLowerCase()}`,
      english && `English: ${english}`,
      languages
        .slice(0, 6)
        .map((it) => safeLine(it, 30))
        .join(', '),
    ) || undefined
  );
}

function range(raw: ProjectWithLookup['budgetRaw']): string | undefined {
  if (raw?.fixedAmount) return `${formatMoney(raw.fixedAmount)} fixed`;
  if (raw?.hourlyMin && raw.hourlyMax)
    return `${formatMoney(raw.hourlyMin)} to ${formatMoney(raw.hourlyMax)} an hour`;
  return undefined;
}

/** Up to ten `*Label*\nvalue` texts, most important first. mrkdwn. */
export function projectFacts(project: ProjectWithLookup): readonly string[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Budget', projectBudgetText(project.budget) ?? range(project.budgetRaw)],
    ['Posted', project.publishedAt === undefined ? undefined : formatTimeAgo(project.publishedAt)],
    ['Level', safeLine(project.experienceLevel ?? '', 60)],
    ['Duration', joinFacts(safeLine(project.duration ?? '', 60), safeLine(project.engagement ?? '', 60))],
    ['Job type', jobType(project)],
    ['Connects', project.connectsPrice === undefined ? undefined : formatNumber(project.connectsPrice)],
    ['Location', places(project)],
    ['Requirements', talent(project)],
    [
      'Categories',
      project.categories
        .slice(0, 5)
        .map((it) => safeLine(it, 50))
        .join(', '),
    ],
    [
      'Other',
      joinFacts(
        project.attachments ? formatCount(project.attachments, 'attachment') : undefined,
        project.featured ? 'featured' : undefined,
        project.enterpriseClient ? 'enterprise client' : undefined,
      ),
    ],
  ];
  return facts.flatMap(([label, value]) => (value ? [`*${label}*\n${value}`] : []));
}
