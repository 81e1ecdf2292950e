/** Parses the arguments of `/gig subscribe`. Pure. */
import type { NamedFilter } from '../../feed/feed.ts';
import { MAX_BACKFILL_PROJECTS } from '../../feed/subscribe.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { codeText } from '../kit/query-error.ts';
import { type FilterMatch, matchLeadingFilter, parseFilterId } from '../kit/words/filters.ts';
import { parseWholeNumberInRange, splitFirstWord } from '../kit/words/parse-words.ts';
import {
  parseProfileArguments,
  parseProfileFeedKind,
  type RequestedProfileFeed,
} from '../kit/words/profiles.ts';

/** `what` is a sentence, `example` a command without `/gig`. */
interface Mistake {
  readonly kind: 'mistake';
  readonly what: string;
  readonly example: string;
}

export interface FilterSubscriptionRequest {
  readonly kind: 'wanted';
  readonly filter: NamedFilter;
  /** The corrected command's start, for the example after invalid rules. */
  readonly before: string;
  readonly backfill: number;
  readonly rules: string;
}

export type FilterSubscriptionParseResult =
  | FilterSubscriptionRequest
  | Mistake
  | Exclude<FilterMatch, { readonly kind: 'found' }>;

const EXAMPLE = 'subscribe filter 123';

function mistake(what: string, example: string): Mistake {
  return { kind: 'mistake', what, example };
}

type Subject = { readonly kind: 'filter'; readonly text: string } | RequestedProfileFeed | Mistake;

/** What to follow, or why that is unclear. */
export function parseSubscribeTarget(args: string): Subject {
  const kind = splitFirstWord(args);
  if (kind.word === '')
    return mistake(
      'What should this channel get? ' +
        'Enter a `filter`, or the `invitations` or `outcomes` (proposal updates) of a profile.',
      EXAMPLE,
    );
  const feed = parseProfileFeedKind(kind.word);
  if (feed) return parseProfileArguments('subscribe', feed, kind.rest);
  if (kind.word.toLowerCase() !== 'filter') {
    if (parseFilterId(kind.word) !== undefined)
      return mistake('Add the word `filter` before the ID.', cleanLine(`subscribe filter ${args}`));
    return mistake(
      'You can subscribe to a `filter`, or to the `invitations` or `outcomes` (proposal updates) ' +
        `of a profile, not to ${codeText(kind.word, 60)}.`,
      EXAMPLE,
    );
  }
  const { word } = splitFirstWord(kind.rest);
  if (word === '') return mistake("Add the filter's ID or name.", EXAMPLE);
  if (/^#?\d+$/u.test(word) && parseFilterId(word) === undefined)
    return mistake(`${codeText(word, 60)} isn't a valid filter ID. Enter a whole number above 0.`, EXAMPLE);
  return { kind: 'filter', text: kind.rest };
}

/** `<id|name> [backfill <n>] [<rules>]` */
export function parseFilterSubscription(
  text: string,
  known: readonly NamedFilter[],
): FilterSubscriptionParseResult {
  const taken = matchLeadingFilter(text, known);
  if (taken.kind !== 'found') return taken;
  const { filter } = taken;
  const before = `subscribe filter ${filter.id}`;
  const { amounts, rules } = takeBackfill(taken.rest);
  const [amount] = amounts;
  if (amount === undefined) return { kind: 'wanted', filter, before, backfill: 0, rules };
  const example = cleanLine(`${before} backfill 20 ${rules}`);
  if (amounts.length > 1) return mistake('Use `backfill` only once.', example);
  const backfill = parseWholeNumberInRange(amount, 1, MAX_BACKFILL_PROJECTS);
  if (backfill === undefined)
    return mistake(
      `\`backfill\` needs a number of past projects, from 1 to ${MAX_BACKFILL_PROJECTS}. ` +
        'To search for the word itself, put it in quotes.',
      example,
    );
  return { kind: 'wanted', filter, before: `${before} backfill ${backfill}`, backfill, rules };
}

/** Quoted text, to skip; or `backfill` and its number. */
const BACKFILL = /["“”„][^"“”„]*["“”„]?|(?<!\S)backfill(?:\s*[:=]\s*|\s+|$)(\S*)\s*/giu;

/** Removes `backfill <n>`, wherever it appears. */
function takeBackfill(text: string): { readonly amounts: readonly string[]; readonly rules: string } {
  const amounts: string[] = [];
  const rules = text.replace(BACKFILL, (whole, amount: string | undefined) => {
    if (amount === undefined) return whole;
    amounts.push(amount);
    return '';
  });
  return { amounts, rules: rules.trim() };
}
