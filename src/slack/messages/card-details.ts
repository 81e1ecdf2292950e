/** In the thread of a card: what the card leaves out, where the channel wants nothing but the deciding lines in it. */
import type { CardView } from '../../feed/feed.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { descriptionBlocks } from './description-blocks.ts';
import { context, section } from './parts.ts';
import { skillsLine } from './skills-line.ts';
import { verdictLine } from './verdict-line.ts';

const REASON = 1_500;

/** @returns undefined when the project tells nothing of it. */
export function cardDetailsMessage({ seen: { project } }: CardView): Message | undefined {
  const verdict = project.verdict?.reason ? verdictLine(project.verdict, REASON) : undefined;
  const skills = skillsLine(project.skills);
  const blocks = [
    ...(verdict ? [section(verdict)] : []),
    ...descriptionBlocks(project.description),
    ...(skills ? [context(skills)] : []),
  ];
  const title = safeLine(project.title, 150) || 'an untitled project';
  return blocks.length > 0 ? { text: `More about ${title}`, blocks } : undefined;
}
