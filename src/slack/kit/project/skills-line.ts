/** A project's skills. Pure. */
import { safeLine } from '../mrkdwn.ts';
import { formatNumber } from '../numbers.ts';

const MOST_SKILLS = 12;

/** `Skills: React, Node.js, 3 more`; undefined if there are none. mrkdwn. */
export function skillsLine(skills: readonly string[]): string | undefined {
  const named = skills.slice(0, MOST_SKILLS).map((skill) => safeLine(skill, 40));
  const more = skills.length - named.length;
  return named.length === 0
    ? undefined
    : `Skills: ${named.join(', ')}${more > 0 ? `, ${formatNumber(more)} more` : ''}`;
}
