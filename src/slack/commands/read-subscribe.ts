/** Reads what stands behind `/gig subscribe`. Pure. */

import type { FilterId } from '../../ids.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { codeText } from '../messages/mistake.ts';
import { readFilterId } from './read-filter.ts';
import { readWhole, takeWord } from './words.ts';

export const MOST_BACKFILL = 500;

export type ReadSubscribe =
  | {
      readonly kind: 'wanted';
      readonly filter: FilterId | string;
      /** As it was written, for the corrected example of wrong rules. */
      readonly before: string;
      readonly backfill: number;
      readonly rules: string;
    }
  /** `what` is a sentence, `example` a command without `/gig`. */
  | { readonly kind: 'mistake'; readonly what: string; readonly example: string };

const EXAMPLE = 'subscribe filter 123';

function mistake(what: string, example: string): ReadSubscribe {
  return { kind: 'mistake', what, example };
}

function quote(word: string): string {
  return /\s/u.test(word) ? `"${word}"` : word;
}

/** `filter <id|name> [backfill <n>] [<rules>]` */
export function readSubscribe(args: string): ReadSubscribe {
  const kind = takeWord(args);
  if (kind.word === '') return mistake('Say which filter this channel should follow.', EXAMPLE);
  if (kind.word.toLowerCase() !== 'filter') {
    if (readFilterId(kind.word) !== undefined)
      return mistake('The word `filter` is missing before the id.', cleanLine(`subscribe filter ${args}`));
    return mistake(`What can be followed is a \`filter\`, not ${codeText(kind.word, 60)}.`, EXAMPLE);
  }
  const filter = takeWord(kind.rest);
  if (filter.word === '') return mistake("The filter's id or name is missing.", EXAMPLE);
  if (/^#?\d+$/u.test(filter.word) && readFilterId(filter.word) === undefined)
    return mistake(
      `${codeText(filter.word, 60)} is no filter's id: that is a whole number above zero.`,
      EXAMPLE,
    );
  return readOptions(`subscribe filter ${quote(filter.word)}`, filter.word, filter.rest);
}

function readOptions(before: string, word: string, options: string): ReadSubscribe {
  const filter = readFilterId(word) ?? word;
  const first = takeWord(options);
  if (first.word.toLowerCase() !== 'backfill' || options.startsWith('"'))
    return { kind: 'wanted', filter, before, backfill: 0, rules: options };
  const amount = takeWord(first.rest);
  const backfill = readWhole(amount.word, 1, MOST_BACKFILL);
  if (backfill === undefined)
    return mistake(
      `\`backfill\` takes the number of past projects, from 1 to ${MOST_BACKFILL}.`,
      cleanLine(`${before} backfill 20 ${amount.rest}`),
    );
  return { kind: 'wanted', filter, before: `${before} backfill ${backfill}`, backfill, rules: amount.rest };
}
