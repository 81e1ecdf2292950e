import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/query/parse-query.ts';
import { projectRuleVocabulary } from '../../src/query/project-rules.ts';
import { proposalSearchVocabulary } from '../../src/query/proposal-search.ts';

const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');

/** The section of the page under a heading. */
function under(heading: string): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** All code spans. */
function marked(text: string): readonly string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, example]) => example ?? '');
}

describe.each([
  ['Rules of a filter', projectRuleVocabulary],
  ['Search of proposals', proposalSearchVocabulary],
])('the page for users: %s', (heading, vocabulary) => {
  const part = under(heading);
  const rows = Array.from(
    part.matchAll(/^\| `(\w+):` \| (.*) \| (.*) \|$/gm),
    ([, name, means, examples]) => ({
      name: name ?? '',
      means: means ?? '',
      examples: marked(examples ?? ''),
    }),
  );

  test('names every qualifier, and no other', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(vocabulary.qualifiers));
  });

  test('names every choice, and no other', () => {
    for (const { name, means } of rows) {
      const kind = vocabulary.qualifiers[name];
      if (kind?.kind === 'choice' || kind?.kind === 'order') expect(marked(means)).toEqual(kind.choices);
    }
  });

  test('gives only right examples', () => {
    const indented = Array.from(part.matchAll(/^ {4}(.+)$/gm), ([, example]) => example ?? '');
    expect(indented).toHaveLength(2);
    for (const example of [...rows.flatMap(({ examples }) => examples), ...indented, vocabulary.example])
      expect(parseQuery(example, vocabulary)).toMatchObject({ kind: 'query' });
  });

  test('gives only right examples in its sentences, too', () => {
    const sentences = part.replaceAll(/^(?:\||## | {4}).*$/gm, '');
    for (const example of marked(sentences))
      expect(parseQuery(example, vocabulary)).toMatchObject({ kind: 'query' });
  });
});
