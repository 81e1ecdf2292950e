/** Texts are in plain US English: words of the former dialect don't come back. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/** Each with its replacement. */
const DIALECT: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|owed|anew|thereof|withheld|owing)\b/i, 'say, show, post; again'],
  [/\bwho(?:m)?ever\b|\bwhom\b/i, 'anyone who, people who'],
  [/\b(?:somebody|by nobody)\b/i, 'someone, you, your team; or say it in the passive'],
  [/\bstands?\b(?! for\b)/i, 'is'],
  [/\bon record\b/i, 'saved, known'],
  [/\b(?:becomes?|became|comes?|came) of\b/i, 'the result, the outcome'],
  [/\b(?:by itself|by themselves|of its own accord)\b/i, 'automatically'],
  [/\bin any case\b/i, 'always'],
  [/\b(?:is|are) asked for\b/i, 'requested'],
  [/\b(?:is|are) no (?:valid |number|time|budget|filter|query|link|id\b)/i, "isn't a valid …"],
  [/\b(?:is|are) no (?:project|command|channel|template|setup)/i, "isn't a valid …"],
  [/\bI know no\b|\bknows no\b/i, "there's no …"],
  [/\bstruck\b|\bthe matter with\b/i, 'what failed'],
];

function filesIn(folder: string, ending: string, recursive = true): readonly string[] {
  const names = readdirSync(folder, { recursive, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => path.join(folder, name));
}

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Sentences in code: strings and templates of at least two words. */
function textsOfCode(file: string): readonly Text[] {
  const found: Text[] = [];
  const add = (text: string) => {
    if (/\S\s+\S/u.test(text)) found.push({ file, text });
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.value);
    },
    TemplateLiteral: (node) => add(node.quasis.map((part) => part.value.cooked ?? '').join('…')),
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return found;
}

/** Comments without quoted code and the names of parameters, line by line. */
function commentsOfCode(file: string): readonly Text[] {
  const { comments } = parseSync(file, readFileSync(file, 'utf8'));
  return comments
    .flatMap(({ value }) => value.split('\n'))
    .map((line) => ({ file, text: line.replaceAll(/`[^`]*`|@param \w+/gu, '') }));
}

/** Prose without quoted code, and without the comments of a style sheet. */
function textsOfProse(file: string): readonly Text[] {
  const prose = readFileSync(file, 'utf8').replaceAll(/```[\s\S]*?```|`[^`\n]*`|\/\*[\s\S]*?\*\//gu, '');
  return prose.split('\n').map((text) => ({ file, text }));
}

function wordsToReplace(texts: readonly Text[]): readonly string[] {
  return texts.flatMap(({ file, text }) => {
    return DIALECT.flatMap(([word, instead]) => {
      const found = word.exec(text);
      return found ? [`${file}: "${found[0]}" in "${text}": write ${instead}`] : [];
    });
  });
}

const CODE = [...filesIn('src', '.ts'), ...filesIn('bench', '.ts'), ...filesIn('scripts', '.js')];
/** The sandbox's page has a few texts outside of its code. */
const PAGE = ['.html', '.css'].flatMap((ending) => filesIn('src/workbench/page/assets', ending));
const DOCUMENTS = [
  ...filesIn('.', '.md', false),
  ...filesIn('docs', '.md'),
  ...PAGE,
  'manifest.yml',
  '.env.example',
];

describe('plain words', () => {
  it.each([
    ['the code', CODE.flatMap(textsOfCode)],
    ['the comments', CODE.flatMap(commentsOfCode)],
    ['the documents', DOCUMENTS.flatMap(textsOfProse)],
  ])('are used in %s', (_, texts) => {
    expect(texts.length).toBeGreaterThan(500);
    expect(wordsToReplace(texts)).toEqual([]);
  });

  it('are told from a dialect', () => {
    const text = 'Whoever is told stands on record';
    expect(wordsToReplace([{ file: 'a', text }]).length).toBeGreaterThanOrEqual(3);
  });
});
