/** What rules and mutes would have done with known projects. */
import { describe, expect, it } from 'vitest';
import { previewRules } from '../../src/feed/decide-card.ts';
import { listRecentFilterProjects } from '../../src/feed/first-card.ts';
import { seenProjects } from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { createMemoryStore } from '../memory-store.ts';
import { bareProject } from './projects.ts';
import { filterId } from './stored-records.ts';

const project = (id: number, change: Partial<ListedProject> = {}) =>
  bareProject({ key: ProjectKey.parse(`~${id}`), title: `Project ${id}`, ...change });
const rich = project(1, { budget: { type: 'fixed', amount: '$5,000' } });
const poor = project(2, { budget: { type: 'fixed', amount: '$50' }, client: { country: 'Germany' } });
const casino = project(3, { title: 'A casino', budget: { type: 'fixed', amount: '$900' } });
const keys = (projects: readonly ListedProject[]) => projects.map((each) => each.key);

describe('a preview of rules', () => {
  it.each<readonly [string, Parameters<typeof previewRules>[1], readonly string[]]>([
    ['without rules posts everything', {}, ['~1', '~2', '~3']],
    ['posts what the rules let through', { rules: 'budget:>=500' }, ['~1', '~3']],
    ['hides a muted word', { mutes: [{ kind: 'word', value: 'casino' }] }, ['~1', '~2']],
    [
      'hides what either hides',
      { rules: 'budget:>=500', mutes: [{ kind: 'word', value: 'casino' }] },
      ['~1'],
    ],
    ['hides a muted country by its code', { mutes: [{ kind: 'country', value: 'de' }] }, ['~1', '~3']],
    [
      'posts everything with rules that nobody can read, as cards do',
      { rules: 'budget:>' },
      ['~1', '~2', '~3'],
    ],
  ])('%s', (_, choices, posted) => {
    const known = [rich, poor, casino];
    const preview = previewRules(known, choices);
    expect(keys(preview.posted)).toEqual(posted);
    expect(keys(preview.hidden)).toEqual(keys(known).filter((key) => !posted.includes(key)));
  });
});

describe('the newest known projects', () => {
  it('of a filter come newest first, without those of other filters', async () => {
    const store = createMemoryStore();
    await store.transact(async (tx) => {
      for (let at = 1; at <= 9; at++)
        await tx.put(seenProjects, {
          project: project(at),
          filters: [filterId(at % 2 === 0 ? 12 : 13)],
          firstSeenAt: at,
        });
    });
    const listed = await store.read((tx) => listRecentFilterProjects(tx, filterId(12), 3));
    expect(keys(listed)).toEqual(['~8', '~6', '~4']);
    expect(await store.read((tx) => listRecentFilterProjects(tx, filterId(14), 3))).toEqual([]);
  });
});
