/** The thread of a short card: the details that the card leaves out. */
import type { CardData } from '../../feed/feed.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { contextBlock, sectionBlock } from './block-builders.ts';
import { descriptionBlocks } from './description-blocks.ts';
import { skillsLine } from './skills-line.ts';
import { verdictLine } from './verdict-line.ts';

const REASON = 1_500;

/** @returns undefined when the project has no details. */
export function cardDetailsMessage({ seen: { project } }: CardData): Message | undefined {
  const verdict = project.verdict?.reason ? verdictLine(project.verdict, REASON) : undefined;
  const skills = skillsLine(project.skills);
  const blocks = [
    ...(verdict ? [sectionBlock(verdict)] : []),
    ...descriptionBlocks(project.description),
    ...(skills ? [contextBlock(skills)] : []),
  ];
  const title = safeLine(project.title, 150) || 'an untitled project';
  return blocks.length > 0 ? { text: `More about ${title}`, blocks } : undefined;
}
