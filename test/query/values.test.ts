import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { listNamesOfCountry } from '../../src/query/project-rules.ts';
import {
  joinAlternatives,
  parseQueryDate,
  parseQueryNumber,
  parseQueryPercent,
  parseQueryRange,
  parseYesNo,
  splitAlternatives,
} from '../../src/query/values.ts';
import {
  countEdits,
  findNearestName,
  findNearestNames,
  foldText,
  includesWords,
  parseTargetWords,
  splitWordRuns,
  splitWords,
} from '../../src/query/words.ts';

describe('a value reads as people write it', () => {
  test.each([
    ['500', 500],
    ['$1,500', 1_500],
    ['1.25k', 1_250],
    ['2M', 2_000_000],
    ['.5', 0.5],
    ['80%', 0.8],
    ['1 000', 1_000],
    ["1'500", 1_500],
    ['1.500,50', 1_500.5],
    ['1.500', 1_500],
    ['1,5k', 1_500],
    ['1.500k', 1_500],
    ['1.500%', 0.015],
    [' 500 ', 500],
    ['$ 500', 500],
    ['12.5%', 0.125],
    ['5.', undefined],
    ['x5', undefined],
    ['5x', undefined],
    ['$', undefined],
    ['', undefined],
    ['-5', undefined],
  ])('the number %s', (written, number) => expect(parseQueryNumber(written)).toBe(number));

  test.each([
    ['80', '80%'],
    ['0.8', '80%'],
    ['80%', '80%'],
    ['0.5%', '0.5%'],
    ['1', '100%'],
    ['1.5', '1.5%'],
    ['0', '0%'],
    ['100', '100%'],
    ['100.5', undefined],
    ['101%', undefined],
    ['many', undefined],
  ])('the share %s', (written, share) => expect(parseQueryPercent(written)).toBe(share));

  test('a day, in UTC, and days ago', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    const first = Date.UTC(2026, 10, 1);
    expect(parseQueryDate('2026-11-01', now)).toEqual({ from: first, to: first + DAY });
    expect(parseQueryDate('2026-11-1', now)).toEqual({ from: first, to: first + DAY });
    expect(parseQueryDate('7d', now)).toEqual({ from: now - 7 * DAY, to: now - 6 * DAY });
    expect(parseQueryDate('7D', now)).toEqual(parseQueryDate('7d', now));
    expect(parseQueryDate('2028-02-29', now)?.from).toBe(Date.UTC(2028, 1, 29));
    for (const none of [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-11-00',
      '2026-11-31',
      'x2026-11-01',
      '2026-11-01x',
      '20261-1-1',
      'x7d',
      '7days',
      '7',
    ])
      expect(parseQueryDate(none, now)).toBeUndefined();
  });

  test('yes and no', () => {
    for (const yes of ['yes', 'Y', 'true', 'ON']) expect(parseYesNo(yes)).toBe(true);
    for (const no of ['no', 'N', 'False', 'off']) expect(parseYesNo(no)).toBe(false);
    for (const neither of ['maybe', '']) expect(parseYesNo(neither)).toBeUndefined();
  });

  test('a range by its two ends', () => {
    expect(parseQueryRange('100..500')).toEqual(['100', '500']);
    expect(parseQueryRange(' 100 .. 500 ')).toEqual(['100', '500']);
    expect(parseQueryRange('..500')).toEqual(['', '500']);
    for (const none of ['100', '1..2..3', '1.5']) expect(parseQueryRange(none)).toBeUndefined();
  });

  test('alternatives, those with a comma in quotes', () => {
    const alternatives = ['US', 'Korea, Republic of', 'United Kingdom'];
    expect(joinAlternatives(alternatives)).toBe('US,"Korea, Republic of",United Kingdom');
    expect(splitAlternatives(joinAlternatives(alternatives))).toEqual(alternatives);
  });

  test('a country by each of its names, an unknown one by its own', () => {
    expect(listNamesOfCountry('turkey')).toEqual(['turkey', 'Türkiye', 'TR', 'Turkey']);
    expect(listNamesOfCountry('Great Britain')).toEqual(
      expect.arrayContaining(['United Kingdom', 'GB', 'UK']),
    );
    expect(listNamesOfCountry('Czechia')).toEqual(['Czechia', 'Czechia', 'CZ', 'Czech Republic']);
    expect(listNamesOfCountry('Germany')).toEqual(['Germany', 'Germany', 'DD', 'DE']);
    expect(listNamesOfCountry('Atlantis')).toEqual(['Atlantis']);
    expect(listNamesOfCountry('Bosnia and Herzegovina')).toContain('BA');
    expect(listNamesOfCountry('Saint Lucia')).toContain('LC');
  });
});

describe('words', () => {
  const finds = (written: string, text: string) => includesWords(foldText(text), parseTargetWords(written));

  test.each([
    ['react', 'React'],
    ['react', '(react)'],
    ['react', 'x react'],
    ['react', 'reactive react'],
    ['c++', 'C++17'],
    ['.net', 'ASP.NET'],
    ['develop*', 'a Developer'],
    ['full stack', 'full-stack'],
    ['full stack', 'full –  stack'],
    ['', ''],
    ['', 'anything'],
    ['*', 'a * b'],
    ['a*b', 'see a*b'],
  ])('%s stand in %s', (written, text) => expect(finds(written, text)).toBe(true));

  test.each(['/', ':', '`', '{', '@', '[', '\u0080', '\u00d7'])('are bounded by %s', (bound) => {
    expect(finds('react', `a${bound}react${bound}b`)).toBe(true);
  });

  test.each(['0', '9', 'a', 'z', 'ß', '𐐷', '𐐀', '𞤀', 'ð', 'ह', 'ा'])('are not bounded by %s', (part) => {
    expect(finds('react', ` ${part}react`)).toBe(false);
    expect(finds('react', `react${part} `)).toBe(false);
  });

  test.each([
    ['develop', 'developer'],
    ['develop*', 'design'],
    ['velop*', 'develop'],
    ['a*b', 'a*bc'],
    ['web2', 'web20'],
    ['2d', '12d'],
    ['net.', 'a.net'],
    ['x', ''],
  ])('%s do not stand in %s', (written, text) => expect(finds(written, text)).toBe(false));

  test.each([
    ['vue', 'Vueフロントエンド開発'],
    ['フロントエンド', 'Vueフロントエンド開発'],
    ['開発', 'フロントエンド開発します'],
    ['react', '会社のReactサイト'],
    ['react', 'เว็บReactครับ'],
    ['เว็บ', 'ทำเว็บไซต์'],
    ['react', 'React를 사용'],
    ['개발', '개발자'],
    ['strasse', 'Hauptstraße Straße'],
    ['smörrebröd', 'smørrebrød'],
    ['lodz', 'Łódź'],
    ['şişli', 'SISLI'],
    ['istanbul', 'İstanbul'],
    ['isparta', 'Isparta ısparta'],
    ['чёрный', 'черный'],
    ['aether', 'Æther'],
    ['हिन्दी', 'हिन्दी में'],
    ['ｶﾞｲﾄﾞ', 'ガイド'],
  ])('%s stand in %s', (written, text) => expect(finds(written, text)).toBe(true));

  test.each([
    ['パン', 'バン'],
    ['가', '각'],
    ['หา', 'ห้า'],
    ['हिन', 'हिन्दी'],
    ['vue', 'vuetify開発'],
  ])('%s do not stand in %s', (written, text) => expect(finds(written, text)).toBe(false));

  test('of a text are what is bounded in it', () => {
    expect(splitWords(foldText('Node.js, Ünïcode & 10 𐐷x'))).toEqual(['node', 'js', 'unicode', '10', '𐐷x']);
    expect(splitWords('–')).toEqual([]);
    expect(splitWords('vue開発 react')).toEqual(['vue', '開', '発', 'react']);
    expect(splitWordRuns('vue開発 react')).toEqual(['vue', '開発', 'react']);
  });

  test('are compared without case, accents, unseen characters, kinds of quote, dash and space', () => {
    expect(foldText(' Café\u00ad  “X”\u00a0\u2013\nY‚’‛ ')).toBe("cafe \"x\" y'''");
    expect(foldText('\ud83dx\ude00')).toBe('x');
    expect(foldText('ßæœþøłđðħıŋŧς')).toBe('ssaeoetholddhintσ');
  });
});

describe('the nearest name', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'ab', 1],
    ['ab', 'abc', 1],
    ['abc', 'axc', 1],
    ['abc', 'acb', 1],
    ['abcd', 'badc', 2],
    ['abc', '', 3],
    ['', 'abc', 3],
    ['ca', 'abc', 3],
  ])('from %s to %s it takes %d edits', (a, b, edits) => expect(countEdits(a, b)).toBe(edits));

  test('is near only within a third of its length, and at least one edit', () => {
    expect(findNearestNames('abcdxy', ['abcdef'])).toEqual(['abcdef']);
    expect(findNearestNames('abcxyz', ['abcdef'])).toEqual([]);
    expect(findNearestNames('ix', ['is'])).toEqual(['is']);
    expect(findNearestNames('xx', ['is'])).toEqual([]);
  });

  test('comes with those that are equally near, at most three, in the order given', () => {
    expect(findNearestNames('lit', ['list', 'lint', 'lots', 'lit2', 'limit'])).toEqual([
      'list',
      'lint',
      'lit2',
    ]);
    expect(findNearestNames('list', ['lint', 'list', 'lost'])).toEqual(['list']);
    expect(findNearestNames('sub', ['subscribe', 'subject', 'sublet', 'subway'])).toEqual([
      'subscribe',
      'subject',
      'sublet',
    ]);
    expect(findNearestNames('su', ['Subscribe', 'list'])).toEqual(['Subscribe']);
    expect(findNearestNames('s', ['subscribe'])).toEqual([]);
  });

  const words = ['subscribe', 'unsubscribe', 'list', 'lookup', 'budget'];

  test.each([
    ['lokup', 'lookup'],
    ['lits', 'list'],
    ['subs', 'subscribe'],
    ['BUDGTE', 'budget'],
    ['unsubscirbe', 'unsubscribe'],
    ['xyz', undefined],
    ['l', undefined],
    ['', undefined],
    ['x'.repeat(1_000), undefined],
  ])('%s was meant to be %s', (typed, meant) => {
    expect(findNearestName(typed, words)).toBe(meant);
  });

  test.each([
    ['a swap of neighbours is one edit, as a letter too many is', 'statsu', ['stats', 'status']],
    ['of what is not equally near, the nearest alone', 'statuss', ['status']],
    ['beginnings', 'sta', ['stats', 'status', 'stable']],
    ['nothing', 'xyz', []],
  ])('%s: %s', (_what, typed, meant) => {
    expect(findNearestNames(typed, ['list', 'stats', 'status', 'stable', 'static'])).toEqual(meant);
  });
});
