/** All that is known of one project. */
import type { KnownBlock } from '@slack/types';
import { cleanText } from '../blocks/clean-text.ts';
import { clip, safeLine } from '../blocks/mrkdwn.ts';
import { count, money, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { budgetLabel } from './budget-label.ts';
import { clientLine } from './client-line.ts';
import { context, fields, line, lines, plainSection, section } from './parts.ts';
import { type KnownProject, projectFacts } from './project-facts.ts';
import { projectLink } from './project-link.ts';
import { redFlags } from './red-flags.ts';
import { verdictLine } from './verdict-line.ts';
import { workHistoryText } from './work-history.ts';

/** Slack takes about 13,000 characters a message; the rest of it is for everything else. */
const DESCRIPTION = 5_000;
const SECTION = 2_500;
const MOST_QUESTIONS = 10;

function descriptionBlocks(description: string): KnownBlock[] {
  const whole = cleanText(description);
  if (!whole) return [context('No description.')];
  const shown = clip(whole, DESCRIPTION);
  const parts: string[] = [];
  for (let from = 0; from < shown.length; from += SECTION) parts.push(shown.slice(from, from + SECTION));
  const cut = `Cut at ${number(DESCRIPTION)} of ${number(whole.length)} characters: the link has the rest.`;
  return [
    ...parts.filter((part) => part.trim() !== '').map(plainSection),
    ...(whole.length > DESCRIPTION ? [context(cut)] : []),
  ];
}

function questionsText(questions: readonly string[]): string | undefined {
  if (questions.length === 0) return undefined;
  const more = questions.length - MOST_QUESTIONS;
  const shown = questions.slice(0, MOST_QUESTIONS);
  return lines(
    `*${count(questions.length, 'screening question')}*`,
    ...shown.map((question, index) => `${index + 1}. ${safeLine(question, 200)}`),
    more > 0 ? `…and ${number(more)} more` : undefined,
  );
}

/** `2-9 people`; words as they came. mrkdwn. */
function peopleText(companySize: string): string {
  const text = safeLine(companySize, 40);
  return /^[\d\s,.+–-]+$/u.test(text) ? `${text} people` : text;
}

function clientText(project: KnownProject): string | undefined {
  const { clientMore: more } = project;
  const base = clientLine(project.client);
  const further = line(
    more?.city && safeLine(more.city, 60),
    more?.localTime && `local time ${safeLine(more.localTime, 20)}`,
    more?.industry && safeLine(more.industry, 60),
    more?.companySize && peopleText(more.companySize),
    more?.registeredAt === undefined ? undefined : `since ${new Date(more.registeredAt).getUTCFullYear()}`,
    more?.jobsPosted === undefined ? undefined : `${count(more.jobsPosted, 'job')} posted`,
    more?.jobsOpen === undefined ? undefined : `${number(more.jobsOpen)} open`,
    more?.avgHourlyRatePaid === undefined ? undefined : `pays ${money(more.avgHourlyRatePaid)} an hour`,
  );
  const text = lines(base, further);
  return text ? `*Client*\n${text}` : undefined;
}

/** @param foot what the answer cost, or where it comes from; mrkdwn. */
export function projectInFull(project: KnownProject, foot: string): Message {
  const flags = redFlags(project);
  const skills = project.skills.slice(0, 30).map((skill) => safeLine(skill, 40));
  const facts = projectFacts(project);
  const texts = [
    clientText(project),
    flags.length > 0
      ? lines('*Red flags*', ...flags.map((flag) => `:triangular_flag_on_post: ${flag}`))
      : undefined,
    verdictLine(project.verdict, 500),
  ];
  const after = [questionsText(project.questions), workHistoryText(project.workHistory ?? [])];
  const sections = (each: readonly (string | undefined)[]): KnownBlock[] =>
    each.flatMap((text) => (text ? [section(text)] : []));
  return {
    text: line(
      safeLine(project.title, 150) || 'Project without a title',
      budgetLabel(project.budget),
      project.client.country && safeLine(project.client.country, 60),
    ),
    blocks: [
      section(`*${projectLink(project, 200)}*`),
      ...(facts.length > 0 ? [fields(facts)] : []),
      ...sections(texts),
      ...descriptionBlocks(project.description),
      ...(skills.length > 0 ? [context(`Skills: ${skills.join(', ')}`)] : []),
      ...sections(after),
      context(foot),
    ],
  };
}
