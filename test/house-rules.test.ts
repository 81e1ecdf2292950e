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

it('only the clock asks for the present moment', () => {
  const asks = /\bnew Date\(\)|(?<![\w.])Date\(\)/u;
  const product = files.filter((file) => file.startsWith('src') && file !== path.join('src', 'clock.ts'));
  expect(product.filter((file) => asks.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it('people see one kind of apostrophe, the one of a keyboard', () => {
  const seen = files.filter((file) => file.startsWith('src'));
  const curly = /(?<=\p{L})\u2019(?=\p{L})|s\u2019 /u;
  expect(seen.filter((file) => curly.test(readFileSync(file, 'utf8')))).toEqual([]);
});

/** Tables and pictures can't be wrapped; a generated page keeps its source's lines. */
const UNWRAPPED = /^\s*(?:\||!\[)/u;
const GENERATED = ['docs/benchmark.md'];

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

/** A file's value imports by name: where each comes from. */
function importedValues(file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const imports = readFileSync(file, 'utf8').matchAll(/^import \{([^}]*)\} from '(\.[^']+)';/gmu);
  for (const [, names = '', from = ''] of imports)
    for (const name of names.split(',').map((each) => each.trim()))
      if (name !== '' && !name.startsWith('type ')) found.set(name, path.join(path.dirname(file), from));
  return found;
}

/** A collection as the argument of a store call. */
const STORE_CALL = /\btx\.(?:get|getMany|list|put|delete|has)\(\s*(\w+)|\bscanCollection\(\s*tx,\s*(\w+)/gu;

it('Slack reads and writes records of features only through the features', () => {
  const rooms = files.filter((file) => file.startsWith('src/slack/'));
  const direct = rooms.flatMap((file) => {
    const imported = importedValues(file);
    return [...readFileSync(file, 'utf8').matchAll(STORE_CALL)].flatMap(([, a, b]) => {
      const from = imported.get(a ?? b ?? '') ?? 'src/slack/';
      // Delivery keeps the state of posts.
      const isOwn =
        from.startsWith('src/slack/') || (file.startsWith('src/slack/delivery/') && /outbox/u.test(from));
      return isOwn ? [] : [`${file}: ${a ?? b}`];
    });
  });
  expect(direct).toEqual([]);
});

it('Slack sees of stored records what the feature passes on', () => {
  const rooms = files.filter((file) => file.startsWith('src/slack/'));
  expect(
    rooms.filter((file) => /from '(?:\.\.\/)+[a-z]+\/records\.ts'/u.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});

it('no file of the product has more than 400 lines', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
  expect(files.filter((file) => file.startsWith('src/') && lines(file) > 400)).toEqual([]);
});

/** What whole-app tests take from the product, each for a reason. */
const KNOWN_INSIDE: Readonly<Record<string, readonly string[]>> = {
  // An app that loses its records while it starts.
  'lost-owner.test.ts': ['app/app', 'ids'],
  // The table must name all that people can press.
  'presses-table.test.ts': ['slack/all-routes'],
};

it('tests of the whole app know nothing of the product but its clock', () => {
  const inside = /from '\.\.\/\.\.\/src\/(?!workbench\/|clock\.ts)([^']+)\.ts'/gu;
  const wholeApp = files.filter((file) => /^test\/features\/[^/]+\.test\.ts$/u.test(file));
  expect(wholeApp.length).toBeGreaterThan(80);
  const known = wholeApp.flatMap((file) => {
    const allowed = KNOWN_INSIDE[path.basename(file)] ?? [];
    const found = [...readFileSync(file, 'utf8').matchAll(inside)].map(([, name = '']) => name);
    return found.filter((name) => !allowed.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(known).toEqual([]);
});
