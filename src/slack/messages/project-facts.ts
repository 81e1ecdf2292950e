/** A looked up project's facts, each as a label and its value. */
import type { ListedProject, LookedUpProject } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, money, number } from '../blocks/numbers.ts';
import { budgetLabel } from './budget-label.ts';
import { line } from './parts.ts';
import { ago } from './when.ts';

/** A project as lists tell it, with what a lookup adds where there was one. */
export type KnownProject = Omit<ListedProject, 'verdict'> &
  Pick<Partial<ListedProject>, 'verdict'> &
  Partial<Omit<LookedUpProject, keyof ListedProject>>;

function places(project: KnownProject): string | undefined {
  const listed = project.preferred?.locations.slice(0, 8).map((place) => safeLine(place, 40)) ?? [];
  const only = [project.usOnly ? 'US only' : undefined, project.ukOnly ? 'UK only' : undefined];
  return line(...only, listed.join(', ')) || undefined;
}

/** A wish, unless it is none. mrkdwn. */
function told(wish: string | undefined): string {
  const text = safeLine(wish ?? '', 40);
  return /^any$/iu.test(text) ? '' : text;
}

/** undefined where the budget's own words say it already. */
function jobType({ jobType: type, budget }: KnownProject): string | undefined {
  const text = safeLine(type ?? '', 60);
  return budgetLabel(budget)?.includes(text.toLowerCase()) ? undefined : text;
}

function talent({ preferred }: KnownProject): string | undefined {
  if (!preferred) return undefined;
  const score = preferred.minJobSuccessScore;
  const english = told(preferred.english);
  const risingTalent = told(preferred.risingTalent);
  const languages = preferred.languages.filter((it) => !(english && /^english$/iu.test(it.trim())));
  return (
    line(
      score ? `job success ${number(score)}+` : undefined,
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

function range(raw: KnownProject['budgetRaw']): string | undefined {
  if (raw?.fixedAmount) return `${money(raw.fixedAmount)} fixed`;
  if (raw?.hourlyMin && raw.hourlyMax) return `${money(raw.hourlyMin)} to ${money(raw.hourlyMax)} an hour`;
  return undefined;
}

/** Up to ten `*Label*\nvalue` texts, what decides first. mrkdwn. */
export function projectFacts(project: KnownProject): readonly string[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Budget', budgetLabel(project.budget) ?? range(project.budgetRaw)],
    ['Posted', project.publishedAt === undefined ? undefined : ago(project.publishedAt)],
    ['Level', safeLine(project.experienceLevel ?? '', 60)],
    ['Duration', line(safeLine(project.duration ?? '', 60), safeLine(project.engagement ?? '', 60))],
    ['Job type', jobType(project)],
    ['Connects', project.connectsPrice === undefined ? undefined : number(project.connectsPrice)],
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
      line(
        project.attachments ? count(project.attachments, 'attachment') : undefined,
        project.featured ? 'featured' : undefined,
        project.enterpriseClient ? 'enterprise client' : undefined,
      ),
    ],
  ];
  return facts.flatMap(([label, value]) => (value ? [`*${label}*\n${value}`] : []));
}
