/** Names that somebody waits for: the marketplace is asked for its lists once more before a name is called unknown. */
import { SECOND } from '../../clock.ts';
import type { DirectoryKind, Named } from '../../directory/directory.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import type { NamedKind } from '../../marketplace/client.ts';
import type { Services } from '../routes.ts';
import { needsNames } from './read-filter.ts';

/** The lists are asked for behind everything else; nobody waits longer for what may not be there. */
const PATIENCE_MS = 5 * SECOND;

function refreshSoon({ directory, clock }: Services, kind: NamedKind): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.after(PATIENCE_MS, resolve);
    void directory.refresh([kind]).then(() => {
      callOff();
      resolve();
    });
  });
}

/** As the directory finds it. */
export async function findNamed(
  services: Services,
  kind: Extract<DirectoryKind, NamedKind>,
  words: string,
): Promise<Named> {
  const found = await services.directory.find(kind, words);
  if (found.kind !== 'none') return found;
  await refreshSoon(services, kind);
  return services.directory.find(kind, words);
}

interface ReadFilters<T> {
  readonly found: T;
  readonly known: readonly NamedFilter[];
  /** Why the newest names are not known. */
  readonly failure?: unknown;
}

/** Reads a text in which a filter may stand by its name. */
export async function readWithFilters<T extends { readonly kind: string }>(
  services: Services,
  text: string,
  read: (known: readonly NamedFilter[]) => T,
): Promise<ReadFilters<T>> {
  if (!needsNames(text)) return { found: read([]), known: [] };
  const { feed } = services;
  const { filters, failure } = await feed.knownFilters();
  const found = read(filters);
  if (found.kind !== 'none' || failure !== undefined) return { found, known: filters, failure };
  await refreshSoon(services, 'filter');
  const again = await feed.knownFilters();
  return { found: read(again.filters), known: again.filters, failure: again.failure };
}
