/** A proposal search without results: why, and what to try. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Message } from '../core/routes.ts';
import { buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { formatCount } from '../kit/numbers.ts';
import { codeText } from '../kit/query-error.ts';
import { profileName } from '../kit/words/profiles.ts';
import {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
} from './proposals-coverage.ts';
import { proposalsPageValueCodec } from './proposals-values.ts';

const MOST_KNOWN = 5;

/** Another search that has results; a button runs it. */
export interface SearchSuggestion {
  readonly query: string;
  readonly total: number;
}

function insteadRow({ query, total }: SearchSuggestion): KnownBlock {
  return sectionBlock(
    `${codeText(query, 300)} · ${formatCount(total, 'proposal')}`,
    buttonElement({
      id: actionIds.proposalsTry,
      label: 'Show',
      value: proposalsPageValueCodec.write({ query, page: 1 }),
      accessibilityLabel: `Show results for ${query}`,
    }),
  );
}

const SEARCH_HELP = codeText(`${SLASH_COMMAND} help proposals`);
const HINTS =
  'Gigdesk looked for these words in titles, letters and answers. ' +
  `To search by result or date, such as ${codeText('is:hired after:30d')}, see ${SEARCH_HELP}.`;

/** @param coverage covers at least one followed profile. */
export function noProposalsFoundMessage(
  query: string,
  {
    instead,
    coverage,
  }: { readonly instead: readonly SearchSuggestion[]; readonly coverage: ProposalsCoverage },
): Message {
  const soFar = isStillCopyingProposals(coverage) ? ' among those copied so far' : '';
  const what =
    query === ''
      ? `There are no proposals yet${soFar}.`
      : `No proposals match ${codeText(query, 200)}${soFar}.`;
  return {
    text: what,
    blocks: [
      sectionBlock(
        joinLines(`*${what}*`, instead.length > 0 ? 'Try one of these searches:' : query && HINTS),
      ),
      ...instead.map(insteadRow),
      contextBlock(proposalsCoverageText(coverage)),
    ],
  };
}

/** @param known profiles whose names we know */
export function noFollowedProfilesMessage(
  known: readonly { readonly id: number; readonly name?: string }[],
  what: 'search' | 'count' = 'search',
): Message {
  const [first] = known;
  return {
    text: joinLines(
      `There's nothing to ${what} yet, because no channel follows a profile. ` +
        'Gigdesk copies the proposals of followed profiles at no credit cost.',
      'Follow one with ' +
        `${codeText(`${SLASH_COMMAND} subscribe outcomes ${first?.id ?? '<profile id or name>'}`)}. ` +
        'Copying starts right away.',
      known.length > 0
        ? `Known profiles: ${known.slice(0, MOST_KNOWN).map(profileName).join(', ')}`
        : undefined,
    ),
  };
}

/** Loading takes a moment after a start. */
export const PROPOSALS_STILL_LOADING: Message = {
  text:
    ':hourglass_flowing_sand: Gigdesk just started and is still loading proposals. ' +
    'Try again in a few seconds.',
};
