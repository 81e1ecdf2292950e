/** Finds the filter a person means. Pure. */
import type { NamedFilter } from '../../../feed/feed.ts';
import { FilterId } from '../../../ids.ts';
import { splitFirstWord } from './parse-words.ts';

/** `12` or `#12` as an ID; undefined for a name. */
export function parseFilterId(word: string): FilterId | undefined {
  const digits = /^#?(\d{1,15})$/u.exec(word)?.[1];
  return digits === undefined ? undefined : FilterId.safeParse(Number(digits)).data;
}

export type FilterMatch =
  | { readonly kind: 'found'; readonly filter: NamedFilter; readonly rest: string }
  /** The name matches all of these. */
  | { readonly kind: 'several'; readonly name: string; readonly filters: readonly NamedFilter[] }
  | { readonly kind: 'none'; readonly asked: string };

/** Whether the text needs known names: an ID doesn't. */
export function needsFilterNames(text: string): boolean {
  return parseFilterId(splitFirstWord(text).word) === undefined;
}

/**
 * The filter at the start of a text, and the rest: an ID; a name in quotes; without quotes the longest known
 * name, or a word that starts names. Case-insensitive.
 */
export function matchLeadingFilter(text: string, known: readonly NamedFilter[]): FilterMatch {
  const { word, rest } = splitFirstWord(text);
  const id = parseFilterId(word);
  if (id !== undefined)
    return { kind: 'found', filter: known.find((each) => each.id === id) ?? { id }, rest };
  const isQuoted = /^["“”„«]/u.test(text.trim());
  return (isQuoted ? undefined : takeName(text.trim(), known)) ?? choose(word, rest, known);
}

function lower(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function takeName(text: string, known: readonly NamedFilter[]): FilterMatch | undefined {
  const fits = (name: string) =>
    name !== '' &&
    /^(?:\s|$)/u.test(text.slice(name.length)) &&
    lower(text.slice(0, name.length)) === lower(name);
  const names = known.flatMap(({ name }) => (name !== undefined && fits(name) ? [name] : []));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : choose(longest, text.slice(longest.length).trim(), known);
}

function choose(word: string, rest: string, known: readonly NamedFilter[]): FilterMatch {
  const wanted = lower(word);
  const exact = known.filter(({ name }) => name !== undefined && lower(name) === wanted);
  const begins = known.filter(({ name }) => name !== undefined && lower(name).startsWith(wanted));
  const filters = exact.length > 0 ? exact : begins;
  const [first, second] = filters;
  if (!first || wanted === '') return { kind: 'none', asked: word };
  return second ? { kind: 'several', name: word, filters } : { kind: 'found', filter: first, rest };
}
