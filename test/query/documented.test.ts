import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseQuery } from '../../src/query/parse-query.ts';
import { projectRules } from '../../src/query/project-rules.ts';

const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');
const rows = Array.from(page.matchAll(/^\| `(\w+):` \| .* \| (.*) \|$/gm), ([, name, examples]) => ({
  name,
  examples: Array.from((examples ?? '').matchAll(/`([^`]+)`/g), ([, example]) => example ?? ''),
}));

test('the page for users names every qualifier of a filter’s rules, and no other', () => {
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(projectRules.qualifiers));
});

test('every example of it is right', () => {
  const indented = Array.from(page.matchAll(/^ {4}(.+)$/gm), ([, example]) => example ?? '');
  for (const example of [...rows.flatMap(({ examples }) => examples), ...indented, projectRules.example])
    expect(parseQuery(example, projectRules)).toMatchObject({ kind: 'query' });
  expect(indented).toHaveLength(2);
});
