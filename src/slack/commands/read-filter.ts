/** Which filter a person means. */
import type { NamedFilter } from '../../feed/feed.ts';
import { FilterId } from '../../ids.ts';

/** `12` or `#12` as an id; undefined for a name. */
export function readFilterId(word: string): FilterId | undefined {
  const digits = /^#?(\d{1,15})$/u.exec(word)?.[1];
  return digits === undefined ? undefined : FilterId.safeParse(Number(digits)).data;
}

/** The one among `known` with that id or name (upper and lower case are the same). */
export function findFilter(word: string, known: readonly NamedFilter[]): NamedFilter | undefined {
  const id = readFilterId(word);
  if (id !== undefined) return known.find((each) => each.id === id);
  const name = word.toLowerCase();
  return known.find((each) => each.name?.toLowerCase() === name);
}
