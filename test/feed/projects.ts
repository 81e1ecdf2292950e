/** Projects as a filter lists them, and the question whether to post one. */
import type { decideCard } from '../../src/feed/decide-card.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { filterId } from './stored-records.ts';

/** `~1`, of which nothing else is known, unless changed. */
export function bareProject(change: Partial<ListedProject> = {}): ListedProject {
  const key = change.key ?? ProjectKey.parse('~1');
  return {
    key,
    title: 'A shop',
    url: `https://market.example/${key}`,
    description: '',
    skills: [],
    categories: [],
    questions: [],
    client: {},
    ...change,
  };
}

export const casino = bareProject({
  title: 'A casino in React',
  description: 'Long.',
  skills: ['React'],
  categories: ['Web'],
  questions: ['Why?'],
  client: { country: 'Germany', rating: 4.5 },
});

/** What decides about a new project that filter 1 has just found and whose rules it passed. */
export function newCardOf(project: ListedProject) {
  return {
    project,
    publishedAt: 200,
    filter: filterId(1),
    matches: true,
    startsAt: 100,
    wantsPast: false,
    mutes: [],
    canPostNow: true,
    changed: false,
  } satisfies Parameters<typeof decideCard>[0];
}
