/** A proposal that was not understood, or is not there: what ids look like and where they stand. */
import { COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';
import { inputMistake } from './input-mistake.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';

const EXAMPLE = 'proposal 900';

const WHERE = `Ids stand behind the titles that ${codeText(`${COMMAND} proposals`)} lists; application uids stand in ${codeText(`${COMMAND} job <id>`)}, on the marketplace, and at the foot of each proposal.`;

export function whichProposalMessage(): Message {
  return inputMistake(`Say which proposal, by its id or its application's uid. ${WHERE}`, EXAMPLE);
}

export function noReferenceMessage(words: string): Message {
  return inputMistake(
    `${codeText(words, 100)} is neither a proposal's id, which is a whole number above zero, nor an application's uid. ${WHERE}`,
    EXAMPLE,
  );
}

export function noSuchProposalMessage(words: string): Message {
  return {
    text: lines(
      `The marketplace knows no proposal by the id or uid ${codeText(words, 100)}, or it belongs to a profile that is not connected to our team.`,
      WHERE,
    ),
  };
}

/** Of a button that belongs to an older answer. */
export const PROPOSAL_PRESS_OUTDATED: Message = {
  text: `This answer is out of date. ${codeText(`${COMMAND} proposals`)} brings a new one.`,
};
