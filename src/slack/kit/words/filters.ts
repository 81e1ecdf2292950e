/**
 * Filters: how they are named, which one a person means, and a warning about the rules. For a waiting person,
 * refreshes the marketplace's lists once before a name is reported as unknown.
 */
import { SECOND } from '../../../clock.ts';
import type { DirectoryEntryKind, DirectoryMatch } from '../../../directory/directory.ts';
import type { NamedFilter } from '../../../feed/feed.ts';
import { FilterId } from '../../../ids.ts';
import type { NamedEntityKind } from '../../../marketplace/client.ts';
import { findUnknownCountries } from '../../../query/project-rules.ts';
import { foldText } from '../../../query/words.ts';
import type { Message, Services } from '../../core/routes.ts';
import { joinLines } from '../block-builders.ts';
import { splitFirstWord } from '../command-text.ts';
import { SLASH_COMMAND } from '../ids.ts';
import { codeText, safeLine } from '../mrkdwn.ts';
import { formatCount, joinWithMore } from '../numbers.ts';

/** A filter with its name if known; records may contain an undefined name. */
interface FilterLabel {
  readonly id: FilterId;
  readonly name?: string | undefined;
}

/** `“Node jobs” (12)`, or `filter 12` while its name is unknown. mrkdwn. */
export function filterName(filter: FilterLabel): string {
  return filter.name ? `“${safeLine(filter.name, 80)}” (${filter.id})` : `filter ${filter.id}`;
}

/** The first ten names, then a count of the rest. mrkdwn. */
export function filterNames(filters: readonly FilterLabel[]): string {
  return joinWithMore(filters, 10, (filter) =>
    filter.name ? safeLine(filter.name, 60) : `filter ${filter.id}`,
  );
}

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

function takeName(text: string, known: readonly NamedFilter[]): FilterMatch | undefined {
  const fits = (name: string) =>
    name !== '' &&
    /^(?:\s|$)/u.test(text.slice(name.length)) &&
    foldText(text.slice(0, name.length)) === foldText(name);
  const names = known.flatMap(({ name }) => (name !== undefined && fits(name) ? [name] : []));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : choose(longest, text.slice(longest.length).trim(), known);
}

function choose(word: string, rest: string, known: readonly NamedFilter[]): FilterMatch {
  const wanted = foldText(word);
  const exact = known.filter(({ name }) => name !== undefined && foldText(name) === wanted);
  const begins = known.filter(({ name }) => name !== undefined && foldText(name).startsWith(wanted));
  const filters = exact.length > 0 ? exact : begins;
  const [first, second] = filters;
  if (!first || wanted === '') return { kind: 'none', asked: word };
  if (second) return { kind: 'several', name: word, filters };
  return { kind: 'found', filter: first, rest };
}

/** `“Node jobs” (12), filter 13`; the first 15. mrkdwn. */
export function filterList(filters: readonly NamedFilter[]): string {
  const shown = filters.slice(0, 15).map((each) => filterName(each));
  return shown.join(', ');
}

/** @param command the start of the command, for example `subscribe filter`. */
export function severalFiltersMessage(
  name: string,
  filters: readonly NamedFilter[],
  command: string,
): Message {
  return {
    text: joinLines(
      `${codeText(name, 100)} matches ${formatCount(filters.length, 'filter')}: ${filterList(filters)}. ` +
        'Use the ID.',
      `For example: ${codeText(`${SLASH_COMMAND} ${command} ${filters[0]?.id ?? 123}`)}`,
    ),
  };
}

/** Warns instead of rejecting: one may be a country in the marketplace's spelling. mrkdwn. */
export function unknownCountriesText(...rules: readonly string[]): string | undefined {
  const unknown = rules.flatMap((each) => findUnknownCountries(each)).slice(0, 5);
  if (unknown.length === 0) return undefined;
  const warnings = unknown.map(({ written, near }) => {
    const meant = near === undefined ? '.' : `. Did you mean ${codeText(near)}?`;
    return `Unknown country: ${codeText(written, 60)}${meant}`;
  });
  return `:warning: ${warnings.join(' ')} It only matches if the marketplace spells it this way.`;
}

function refreshSoon({ directory, clock }: Services, kind: NamedEntityKind): Promise<void> {
  return new Promise((resolve) => {
    // The refresh has the lowest priority; the person waits no longer than this.
    const callOff = clock.runAfter(5 * SECOND, resolve);
    void directory.refreshNames([kind]).then(() => {
      callOff();
      resolve();
    });
  });
}

export async function findDirectoryEntryWithRefresh(
  services: Services,
  kind: Extract<DirectoryEntryKind, NamedEntityKind>,
  words: string,
): Promise<DirectoryMatch> {
  const found = await services.directory.findEntry(kind, words);
  if (found.kind !== 'none') return found;
  await refreshSoon(services, kind);
  return services.directory.findEntry(kind, words);
}

/** Parses a text that may contain a filter's name. @returns `failure`: why the newest names are missing */
export async function parseWithFilterNames<T extends { readonly kind: string }>(
  services: Services,
  text: string,
  read: (known: readonly NamedFilter[]) => T,
) {
  if (parseFilterId(splitFirstWord(text).word) !== undefined) return { found: read([]), known: [] };
  const { feed } = services;
  const { filters, failure } = await feed.listKnownFilters();
  const found = read(filters);
  if (found.kind !== 'none' || failure !== undefined) return { found, known: filters, failure };
  await refreshSoon(services, 'filter');
  const again = await feed.listKnownFilters();
  return { found: read(again.filters), known: again.filters, failure: again.failure };
}
