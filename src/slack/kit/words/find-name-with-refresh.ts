/**
 * Finds names for a waiting person: refreshes the marketplace's lists once before it reports an unknown name.
 */
import { SECOND } from '../../../clock.ts';
import type { DirectoryEntryKind, DirectoryMatch } from '../../../directory/directory.ts';
import type { NamedFilter } from '../../../feed/feed.ts';
import type { NamedEntityKind } from '../../../marketplace/client.ts';
import type { Services } from '../../core/routes.ts';
import { needsFilterNames } from './filters.ts';

/** The refresh has the lowest priority; the person waits no longer than this. */
const PATIENCE_MS = 5 * SECOND;

function refreshSoon({ directory, clock }: Services, kind: NamedEntityKind): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.runAfter(PATIENCE_MS, resolve);
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

interface ReadFilters<T> {
  readonly found: T;
  readonly known: readonly NamedFilter[];
  /** Why the newest names couldn't be loaded. */
  readonly failure?: unknown;
}

/** Parses a text that may contain a filter's name. */
export async function parseWithFilterNames<T extends { readonly kind: string }>(
  services: Services,
  text: string,
  read: (known: readonly NamedFilter[]) => T,
): Promise<ReadFilters<T>> {
  if (!needsFilterNames(text)) return { found: read([]), known: [] };
  const { feed } = services;
  const { filters, failure } = await feed.listKnownFilters();
  const found = read(filters);
  if (found.kind !== 'none' || failure !== undefined) return { found, known: filters, failure };
  await refreshSoon(services, 'filter');
  const again = await feed.listKnownFilters();
  return { found: read(again.filters), known: again.filters, failure: again.failure };
}
