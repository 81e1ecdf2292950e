/** A proposal ID that is invalid or not found: what IDs look like and where to find them. Pure. */

import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { codeText } from '../kit/query-error.ts';

const EXAMPLE = 'proposal 900';

const WHERE =
  `${codeText(`${SLASH_COMMAND} proposals`)} lists the IDs. ` +
  `The marketplace and ${codeText(`${SLASH_COMMAND} job <id>`)} show application UIDs.`;

export function missingProposalIdMessage(): Message {
  return inputErrorMessage(`Which proposal? Enter its ID or application UID. ${WHERE}`, EXAMPLE);
}

export function invalidProposalIdMessage(words: string): Message {
  return inputErrorMessage(
    `${codeText(words, 100)} isn't a valid proposal ID or application UID. ` +
      `Proposal IDs are whole numbers above 0. ${WHERE}`,
    EXAMPLE,
  );
}

export function noSuchProposalMessage(words: string): Message {
  return {
    text: joinLines(
      `Couldn't find proposal ${codeText(words, 100)} in the marketplace. Check the number. ` +
        'The profile that sent it may not be connected to your team.',
      WHERE,
    ),
  };
}

/** For a button of an outdated answer. */
export const PROPOSAL_PRESS_OUTDATED: Message = {
  text: `This answer is out of date. Search again with ${codeText(`${SLASH_COMMAND} proposals`)}.`,
};
