import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Every way to disable a check in place; written so that this file doesn't match itself. */
const SWITCHES =
  /(?:biome|oxlint|eslint|prettier)[-](?:ignore|disable)|@ts[-](?:ignore|nocheck|expect-error)/;
const OPEN_ENDS = /\bTODO[:( ]|\bFIXME\b|\b(?:it|test|describe)[.](?:only|skip|todo)\b/;

const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|js)$/.test(name))
    .map((name) => path.join(folder, name)),
);

function offenders(pattern: RegExp): readonly string[] {
  return files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
}

it('no check is switched off anywhere in the code', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(offenders(SWITCHES)).toEqual([]);
});

it('nothing is left for later, and no test is left out', () => {
  expect(offenders(OPEN_ENDS)).toEqual([]);
});

it('people see one kind of apostrophe, the one of a keyboard', () => {
  const seen = files.filter((file) => file.startsWith('src'));
  const curly = /(?<=\p{L})\u2019(?=\p{L})|s\u2019 /u;
  expect(seen.filter((file) => curly.test(readFileSync(file, 'utf8')))).toEqual([]);
});

/** Tables and pictures can't be wrapped; quoted messages and generated pages keep their source's lines. */
const UNWRAPPED = /^\s*(?:\||!\[)/u;
const GENERATED = ['docs/messages.md', 'docs/benchmark.md', 'docs/marketplace-guesses.md'];

it('no line of code or docs is longer than 110 characters', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((name) => path.join('docs', name))
    .filter((name) => name.endsWith('.md') && !GENERATED.includes(name));
  const long = [...files, ...pages, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > 110 && !UNWRAPPED.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
