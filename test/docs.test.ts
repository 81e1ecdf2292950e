import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.join('docs', name));

/** The anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function anchorsIn(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''));
}

describe('the documents', () => {
  it.each(pages)('%s links only to what is there', (file) => {
    const page = readFileSync(file, 'utf8');
    const links = [...page.matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, target = '', anchor]) => {
      const to = target === '' ? file : path.join(path.dirname(file), target);
      return (
        !existsSync(to) || (anchor !== undefined && !anchorsIn(readFileSync(to, 'utf8')).includes(anchor))
      );
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('number each decision once, as its heading says', () => {
    const files = readdirSync('docs/decisions').toSorted((a, b) => a.localeCompare(b));
    const headings = files.map((file) => readFileSync(path.join('docs/decisions', file), 'utf8').slice(0, 5));
    const numbers = files.map((file) => Number(file.slice(0, 4)));
    expect([...new Set(numbers)]).toEqual(numbers);
    expect(headings).toEqual(numbers.map((it) => expect.stringMatching(new RegExp(`^# ${it}\\.`))));
  });

  it.each(pages.filter((name) => name.startsWith('docs/decisions')))('%s has a status and a date', (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# .+\n\nStatus: (?:accepted|superseded by .+), 20\d\d-\d\d-\d\d\n\n/,
    );
  });

  /** A file may be named from the root, from `src` or from the rooms of `src/slack`. */
  const isThere = (file: string) =>
    ['', 'src', 'src/slack'].some((root) => existsSync(path.join(root, file)));

  it.each([...pages, 'README.md', 'CONTRIBUTING.md'])('%s names only files that are there', (file) => {
    const page = readFileSync(file, 'utf8');
    const named = [...page.matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+|(?:[\w-]+\/)+[\w-]+\.ts)`/g)];
    expect(named.map(([, name = '']) => name).filter((name) => !isThere(name))).toEqual([]);
  });
});
