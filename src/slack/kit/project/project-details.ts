/** Everything known about one project. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Message } from '../../core/routes.ts';
import { contextBlock, fieldsSection, joinFacts, joinLines, sectionBlock } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount } from '../numbers.ts';
import { andMoreText } from '../paged-list.ts';
import { clientDetailsText } from './client-details.ts';
import { descriptionBlocks } from './description-blocks.ts';
import { projectBudgetText } from './project-budget.ts';
import { type ProjectWithLookup, projectFacts } from './project-facts.ts';
import { projectLink } from './project-link.ts';
import { listProjectRedFlags } from './red-flags.ts';
import { verdictDetailsText } from './verdict-line.ts';
import { workHistoryTexts } from './work-history.ts';

const MOST_QUESTIONS = 10;

function questionsText(questions: readonly string[]): string | undefined {
  if (questions.length === 0) return undefined;
  const shown = questions.slice(0, MOST_QUESTIONS);
  return joinLines(
    `*${formatCount(questions.length, 'screening question')}*`,
    ...shown.map((question, index) => `${index + 1}. ${safeLine(question, 200)}`),
    andMoreText(questions.length - MOST_QUESTIONS),
  );
}

/** @param foot what the answer cost, or its source; mrkdwn. */
export function projectDetailsMessage(project: ProjectWithLookup, foot: string): Message {
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
  const after = [questionsText(project.questions), ...workHistoryTexts(project.workHistory ?? [])];
  const sections = (each: readonly (string | undefined)[]): KnownBlock[] =>
    each.flatMap((text) => (text ? [sectionBlock(text)] : []));
  return {
    text: joinFacts(
      safeLine(project.title, 150) || 'Untitled project',
      projectBudgetText(project.budget),
      project.client.country && safeLine(project.client.country, 60),
    ),
    blocks: [
      sectionBlock(`*${projectLink(project, 200)}*`),
      ...(facts.length > 0 ? [fieldsSection(facts)] : []),
      ...sections(texts),
      ...(description.length > 0 ? description : [contextBlock('No description.')]),
      ...(skills.length > 0 ? [contextBlock(`Skills: ${skills.join(', ')}`)] : []),
      ...sections(after),
      contextBlock(foot),
    ],
  };
}
