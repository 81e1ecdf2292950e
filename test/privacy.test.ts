/** docs/privacy.md against what is really stored. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allCollections } from '../src/app/collections.ts';
import { DAY } from '../src/clock.ts';

const page = readFileSync('docs/privacy.md', 'utf8');

const byName = (a = '', b = '') => a.localeCompare(b);

it('names each kind of record once', () => {
  const named = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| [^|]+ \|$/gmu)].flatMap(([, records = '']) =>
    [...records.matchAll(/`([\w-]+)`/gu)].map(([, name]) => name),
  );
  const kinds = named.filter((name) => name !== 'proposals' && name !== 'cached_items');
  expect(kinds.toSorted(byName)).toEqual(allCollections.map(({ name }) => name).toSorted(byName));
});

it('says how long each is kept', () => {
  const words = (days: number) => (days === 1 ? 'a day' : days === 396 ? '13 months' : `${days} days`);
  const kept = allCollections.filter((it) => it.keepFor);
  expect(kept.length).toBeGreaterThan(15);
  for (const { name, keepFor } of kept) {
    const row = page.split('\n').find((line) => line.includes(`\`${name}\``));
    expect(row, name).toContain(words((keepFor?.ms ?? 0) / DAY));
  }
});

it('names each table of the database', () => {
  const sql = readFileSync('src/storage/postgres/migrations.ts', 'utf8');
  const tables = [...sql.matchAll(/create table (?:if not exists )?(\w+) \(/gu)].map(([, name]) => name);
  expect(tables.length).toBeGreaterThan(5);
  for (const name of tables) expect(page, name).toContain(`\`${name}\``);
});
