/** What a person follows, as typed: `7`, `filter 7 budget:>2000`, `react budget:>2000`. Pure. */
import { parseRules } from '../../feed/decide-card.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import type { FollowTarget } from '../../follows/follows.ts';
import type { QueryError } from '../../query/query.ts';
import { splitFirstWord } from '../kit/command-text.ts';
import { matchLeadingFilter, parseFilterId } from '../kit/words/filters.ts';

export type ParsedFollow =
  | { readonly kind: 'target'; readonly target: FollowTarget; readonly filter?: NamedFilter | undefined }
  /** `before`: the corrected text's start, up to the rules. */
  | {
      readonly kind: 'wrong-rules';
      readonly mistake: QueryError;
      readonly rules: string;
      readonly before: string;
    }
  /** The name matches several filters. */
  | { readonly kind: 'several'; readonly name: string; readonly filters: readonly NamedFilter[] }
  /** No filter's ID or name; empty: nothing was typed. */
  | { readonly kind: 'no-filter'; readonly asked: string };

/** A filter is named by its ID, or after the word `filter`. All else is a rule. @param known with names */
export function parseFollow(text: string, known: readonly NamedFilter[]): ParsedFollow {
  const first = splitFirstWord(text);
  const isQuoted = /^["“”„«]/u.test(text.trim());
  const isWord = !isQuoted && first.word.toLowerCase() === 'filter';
  if (!isWord && (isQuoted || parseFilterId(first.word) === undefined))
    return parseTarget(text.trim(), undefined);
  const rest = isWord ? first.rest : text;
  if (rest.trim() === '') return { kind: 'no-filter', asked: '' };
  const { word } = splitFirstWord(rest);
  if (/^#?\d+$/u.test(word) && parseFilterId(word) === undefined) return { kind: 'no-filter', asked: word };
  const match = matchLeadingFilter(rest, known);
  if (match.kind === 'none') return { kind: 'no-filter', asked: match.asked };
  return match.kind === 'several' ? match : parseTarget(match.rest, match.filter);
}

function parseTarget(rules: string, filter: NamedFilter | undefined): ParsedFollow {
  const read = parseRules(rules);
  if (read.kind === 'mistake')
    return { kind: 'wrong-rules', mistake: read, rules, before: filter ? `filter ${filter.id} ` : '' };
  return { kind: 'target', target: { rules: read.printed, filter: filter?.id }, filter };
}

/** As it can be typed again: `filter 7 budget:>2000`. Plain text. */
export function writeFollow({ filter, rules }: FollowTarget): string {
  return filter === undefined ? rules : `filter ${filter}${rules ? ` ${rules}` : ''}`;
}
