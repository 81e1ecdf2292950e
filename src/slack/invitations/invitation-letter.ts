/** The invitation's full letter, for its thread. Pure. */
import type { InvitationRecord } from '../../invitations/records.ts';
import type { Message } from '../core/routes.ts';
import { contextBlock, plainTextSection } from '../kit/block-builders.ts';
import { cleanText } from '../kit/clean-text.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { splitIntoParts } from '../kit/text-parts.ts';

/** As much of the letter as fits in one message, with a notice if that is not all. */
export function invitationLetterMessage(invitation: InvitationRecord): Message {
  const { letter, letterLength, title } = invitation;
  const text = cleanText(letter);
  const isCut = letterLength > letter.length;
  return {
    text: `Invitation letter: ${safeLine(title, 150) || 'Untitled project'}`,
    blocks: [
      contextBlock('Invitation letter:'),
      ...splitIntoParts(text).map(plainTextSection),
      ...(isCut
        ? [
            contextBlock(
              `Showing ${formatNumber(letter.length)} of ${formatNumber(letterLength)} characters. ` +
                'Read the rest in the marketplace.',
            ),
          ]
        : []),
    ],
  };
}
