/** Everything known about one project. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Message } from '../../core/routes.ts';
import {
  contextBlock,
  fieldsSection,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
  textSections,
} from '../block-builders.ts';
import { splitIntoParts } from '../long-text.ts';
import { cleanText, clipText, formatTimeAgo, safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../numbers.ts';
import { andMoreText } from '../paged-list.ts';
import { clientDetailsText, workHistoryTexts } from './client.ts';
import {
  type ProjectWithLookup,
  projectBudgetText,
  projectLink,
  verdictDetailsText,
} from './project-lines.ts';
import { listProjectRedFlags } from './red-flags.ts';

function places(project: ProjectWithLookup): string | undefined {
  const listed = project.preferred?.locations.slice(0, 8).map((place) => safeLine(place, 40)) ?? [];
  const only = [project.usOnly ? 'US only' : undefined, project.ukOnly ? 'UK only' : undefined];
  return joinFacts(...only, listed.join(', ')) || undefined;
}

/** A client's preference; empty for “any”. mrkdwn. */
function preferenceText(wish: string | undefined): string {
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
  const english = preferenceText(preferred.english);
  const risingTalent = preferenceText(preferred.risingTalent);
  const others = preferred.languages.filter((it) => !(english && /^english$/iu.test(it.trim())));
  const languages = others.slice(0, 6).map((it) => safeLine(it, 30));
  return (
    joinFacts(
      score ? `job success ${formatNumber(score)}+` : undefined,
      preferenceText(preferred.talentType),
      risingTalent && `rising talent: ${risingTalent.toLowerCase()}`,
      english && `English: ${english}`,
      languages.join(', '),
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
function projectFacts(project: ProjectWithLookup): readonly string[] {
  const categories = project.categories.slice(0, 5).map((it) => safeLine(it, 50));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Budget', projectBudgetText(project.budget) ?? range(project.budgetRaw)],
    ['Posted', project.publishedAt === undefined ? undefined : formatTimeAgo(project.publishedAt)],
    ['Level', safeLine(project.experienceLevel ?? '', 60)],
    ['Duration', joinFacts(safeLine(project.duration ?? '', 60), safeLine(project.engagement ?? '', 60))],
    ['Project type', jobType(project)],
    ['Connects', project.connectsPrice === undefined ? undefined : formatNumber(project.connectsPrice)],
    ['Location', places(project)],
    ['Requirements', talent(project)],
    ['Categories', categories.join(', ')],
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

/** Slack takes about 13,000 characters a message; the rest is for everything else. */
const DESCRIPTION = 5_000;

/** Empty if there is no description; a clipped one ends with a notice. */
export function descriptionBlocks(description: string): KnownBlock[] {
  const whole = cleanText(description);
  if (!whole) return [];
  const shown = clipText(whole, DESCRIPTION);
  const cut =
    `Showing ${formatNumber(DESCRIPTION)} of ${formatNumber(whole.length)} characters. ` +
    'Open the link for the rest.';
  return [
    ...splitIntoParts(shown).map(plainTextSection),
    ...(whole.length > DESCRIPTION ? [contextBlock(cut)] : []),
  ];
}

function questionsText(questions: readonly string[]): string | undefined {
  if (questions.length === 0) return undefined;
  const shown = questions.slice(0, 10);
  return joinLines(
    `*${formatCount(questions.length, 'screening question')}*`,
    ...shown.map((question, index) => `${index + 1}. ${safeLine(question, 200)}`),
    andMoreText(questions.length - shown.length),
  );
}

/** All facts of a project, from the most important. @param historyJobs most jobs of the client's history */
export function projectDetailBlocks(project: ProjectWithLookup, historyJobs?: number): KnownBlock[] {
  const flags = listProjectRedFlags(project);
  const skills = project.skills.slice(0, 30).map((skill) => safeLine(skill, 40));
  const facts = projectFacts(project);
  const description = descriptionBlocks(project.description);
  const texts = [
    clientDetailsText(project),
    flags.length > 0
      ? joinLines('*Red flags*', ...flags.map((flag) => `:triangular_flag_on_post: ${flag}`))
      : undefined,
    verdictDetailsText(project.verdict),
  ];
  const history = workHistoryTexts(project.workHistory ?? [], historyJobs);
  return [
    ...(facts.length > 0 ? [fieldsSection(facts)] : []),
    ...textSections(...texts),
    ...(description.length > 0 ? description : [contextBlock('No description.')]),
    ...(skills.length > 0 ? [contextBlock(`Skills: ${skills.join(', ')}`)] : []),
    ...textSections(questionsText(project.questions), ...history),
  ];
}

/** @param foot what the answer cost, or its source; mrkdwn. @param below what can be done with it */
export function projectDetailsMessage(
  project: ProjectWithLookup,
  foot: string,
  below: readonly KnownBlock[] = [],
): Message {
  return {
    text: joinFacts(
      safeLine(project.title, 150) || 'Untitled project',
      projectBudgetText(project.budget),
      project.client.country && safeLine(project.client.country, 60),
    ),
    blocks: [
      sectionBlock(`*${projectLink(project, 200)}*`),
      ...projectDetailBlocks(project),
      contextBlock(foot),
      ...below,
    ],
  };
}
