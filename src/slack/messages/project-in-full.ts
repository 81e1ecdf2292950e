/** All that is known of one project. */
import type { KnownBlock } from '@slack/types';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, money, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { budgetLabel } from './budget-label.ts';
import { clientLine } from './client-line.ts';
import { descriptionBlocks } from './description-blocks.ts';
import { context, fields, line, lines, section } from './parts.ts';
import { type KnownProject, projectFacts } from './project-facts.ts';
import { projectLink } from './project-link.ts';
import { redFlags } from './red-flags.ts';
import { verdictLine } from './verdict-line.ts';
import { workHistoryText } from './work-history.ts';

const MOST_QUESTIONS = 10;

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
    // Zero: it has paid nobody by the hour.
    more?.avgHourlyRatePaid ? `pays ${money(more.avgHourlyRatePaid)} an hour` : undefined,
  );
  const text = lines(base, further);
  return text ? `*Client*\n${text}` : undefined;
}

/** @param foot what the answer cost, or where it comes from; mrkdwn. */
export function projectInFull(project: KnownProject, foot: string): Message {
  const flags = redFlags(project);
  const skills = project.skills.slice(0, 30).map((skill) => safeLine(skill, 40));
  const facts = projectFacts(project);
  const description = descriptionBlocks(project.description);
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
      ...(description.length > 0 ? description : [context('No description.')]),
      ...(skills.length > 0 ? [context(`Skills: ${skills.join(', ')}`)] : []),
      ...sections(after),
      context(foot),
    ],
  };
}
