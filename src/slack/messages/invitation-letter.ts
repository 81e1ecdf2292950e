/** In the thread of an invitation: its whole letter. */
import type { InvitationRecord } from '../../invitations/records.ts';
import { cleanText } from '../blocks/clean-text.ts';
import { limits } from '../blocks/limits.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { context, plainSection } from './parts.ts';

/** Where a text is cut: behind a line, else between words, else within a word; not through a pair of surrogates. */
function cutPlace(window: string): number {
  const gap = [window.lastIndexOf('\n'), window.lastIndexOf(' ')].find((at) => at > window.length / 2);
  if (gap !== undefined) return gap;
  return /[\uD800-\uDBFF]$/u.test(window) ? window.length - 1 : window.length;
}

/** Parts that each fit one section. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limits.sectionText.max) {
    const end = cutPlace(rest.slice(0, limits.sectionText.max));
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
