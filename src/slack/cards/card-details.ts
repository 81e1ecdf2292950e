/** The thread of a short card: the details that the card leaves out. Pure. */
import type { CardData } from '../../feed/feed.ts';
import type { Message } from '../core/routes.ts';
import { contextBlock, sectionBlock } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { descriptionBlocks } from '../kit/project/project-details.ts';
import { skillsLine, verdictLine } from '../kit/project/project-lines.ts';

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
