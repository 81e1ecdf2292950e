/** All that is known of one project. */
import type { KnownBlock } from '@slack/types';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { budgetLabel } from './budget-label.ts';
import { clientInFull } from './client-in-full.ts';
import { descriptionBlocks } from './description-blocks.ts';
import { context, fields, line, lines, section } from './parts.ts';
import { type KnownProject, projectFacts } from './project-facts.ts';
import { projectLink } from './project-link.ts';
import { redFlags } from './red-flags.ts';
import { verdictInFull } from './verdict-line.ts';
import { workHistoryTexts } from './work-history.ts';

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

/** @param foot what the answer cost, or where it comes from; mrkdwn. */
export function projectInFull(project: KnownProject, foot: string): Message {
  const flags = redFlags(project);
  const skills = project.skills.slice(0, 30).map((skill) => safeLine(skill, 40));
  const facts = projectFacts(project);
  const description = descriptionBlocks(project.description);
  const texts = [
    clientInFull(project),
    flags.length > 0
      ? lines('*Red flags*', ...flags.map((flag) => `:triangular_flag_on_post: ${flag}`))
      : undefined,
    verdictInFull(project.verdict),
  ];
  const after = [questionsText(project.questions), ...workHistoryTexts(project.workHistory ?? [])];
  const sections = (each: readonly (string | undefined)[]): KnownBlock[] =>
    each.flatMap((text) => (text ? [section(text)] : []));
  return {
    text: line(
      safeLine(project.title, 150) || 'Untitled project',
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
