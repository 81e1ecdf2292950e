/** In the thread of an invitation: its whole letter. */
import type { InvitationRecord } from '../../invitations/records.ts';
import { cleanText } from '../blocks/clean-text.ts';
import { limits } from '../blocks/limits.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { context, plainSection } from './parts.ts';

/** Parts that each fit one section: cut at an end of a line or between words, where there is one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limits.sectionText.max) {
    const window = rest.slice(0, limits.sectionText.max);
    const gap = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
    const isHalf = /[\uD800-\uDBFF]$/u.test(window);
    const end = gap > limits.sectionText.max / 2 ? gap : window.length - (isHalf ? 1 : 0);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest ? [...parts, rest] : parts;
}

/** As much of the letter as one message holds; it says when that is not all. */
export function letterMessage(invitation: InvitationRecord): Message {
  const { letter, letterLength, title } = invitation;
  const text = cleanText(letter);
  const isCut = letterLength > letter.length;
  return {
    text: `The letter of the invitation to ${safeLine(title, 150) || 'a project without a title'}`,
    blocks: [
      context('The letter of the invitation:'),
      ...partsOf(text).map(plainSection),
      ...(isCut
        ? [
            context(
              `${number(letter.length)} of ${number(letterLength)} characters; the marketplace shows the rest.`,
            ),
          ]
        : []),
    ],
  };
}
