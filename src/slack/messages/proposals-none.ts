/** A search of proposals that shows nothing: why, and what to try. */
import type { KnownBlock } from '@slack/types';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { button, context, lines, section } from './parts.ts';
import { profileName } from './profile-name.ts';
import { type Coverage, coverageText, isCopying } from './proposals-coverage.ts';
import { proposalsPageValue } from './proposals-values.ts';

const MOST_KNOWN = 5;

/** A search that does find something, with a button that shows it. */
export interface Instead {
  readonly query: string;
  readonly total: number;
}

function insteadRow({ query, total }: Instead): KnownBlock {
  return section(
    `${codeText(query, 300)} · ${count(total, 'proposal')}`,
    button({
      id: actionIds.proposalsTry,
      label: 'Show',
      value: proposalsPageValue.write({ query, page: 1 }),
      spoken: `Show results for ${query}`,
    }),
  );
}

const HINTS = `Partial words match. See all search options with ${codeText(`${COMMAND} help proposals`)}.`;

/** @param coverage at least one profile is followed. */
export function nothingFoundMessage(
  query: string,
  { instead, coverage }: { readonly instead: readonly Instead[]; readonly coverage: Coverage },
): Message {
  const soFar = isCopying(coverage) ? ' among those copied so far' : '';
  const what =
    query === ''
      ? `There are no proposals yet${soFar}.`
      : `No proposals match ${codeText(query, 200)}${soFar}.`;
  return {
    text: what,
    blocks: [
      section(lines(`*${what}*`, instead.length > 0 ? 'Try one of these searches:' : query && HINTS)),
      ...instead.map(insteadRow),
      context(coverageText(coverage)),
    ],
  };
}

/** @param known profiles whose names we know */
export function noProfilesMessage(
  known: readonly { readonly id: number; readonly name?: string }[],
  what: 'search' | 'count' = 'search',
): Message {
  const [first] = known;
  return {
    text: lines(
      `There's nothing to ${what} yet, because no channel follows a profile. Gigdesk copies the proposals of followed profiles at no credit cost.`,
      `Follow one with ${codeText(`${COMMAND} subscribe outcomes ${first?.id ?? '<profile id or name>'}`)}. Copying starts right away.`,
      known.length > 0
        ? `Known profiles: ${known.slice(0, MOST_KNOWN).map(profileName).join(', ')}`
        : undefined,
    ),
  };
}

/** The start of Gigdesk takes a moment. */
export const STILL_LOADING: Message = {
  text: ':hourglass_flowing_sand: Gigdesk just started and is still loading proposals. Try again in a few seconds.',
};
