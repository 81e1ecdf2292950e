/** In the thread of an invitation: its whole letter. */
import type { InvitationRecord } from '../../invitations/records.ts';
import { cleanText } from '../blocks/clean-text.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import { partsOf } from '../blocks/text-parts.ts';
import type { Message } from '../routes.ts';
import { context, plainSection } from './parts.ts';

/** As much of the letter as one message holds; it says when that is not all. */
export function letterMessage(invitation: InvitationRecord): Message {
  const { letter, letterLength, title } = invitation;
  const text = cleanText(letter);
  const isCut = letterLength > letter.length;
  return {
    text: `Invitation letter: ${safeLine(title, 150) || 'Untitled project'}`,
    blocks: [
      context('Invitation letter:'),
      ...partsOf(text).map(plainSection),
      ...(isCut
        ? [
            context(
              `Showing ${number(letter.length)} of ${number(letterLength)} characters. Read the rest in the marketplace.`,
            ),
          ]
        : []),
    ],
  };
}
