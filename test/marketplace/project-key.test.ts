import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasLinkWithoutProjectId,
  parseProjectKey,
  parseProjectReference,
} from '../../src/marketplace/project-key.ts';

const SITE = 'https://www.market.example';

describe('the key of a project', () => {
  test.each([
    [`${SITE}/jobs/~021234567890`, '~021234567890'],
    [`${SITE}/jobs/Build-a-shop_~021234567890/?source=rss`, '~021234567890'],
    [`${SITE}/jobs/%7E021234567890`, '~021234567890'],
    [`${SITE}/jobs/%257e021234567890`, '~021234567890'],
    [`${SITE}/redirect?to=https%3A%2F%2Fmarket.example%2Fjobs%2F~021234567890`, '~021234567890'],
    [`${SITE}/redirect?to=https%3A%2F%2Fmarket.example%2Fjobs%2F%257E021234567890`, '~021234567890'],
    [`${SITE}/jobs/~0211?similar=~0299`, '~0211'],
    [`${SITE}/r?pid=42`, 'pid:42'],
    [`${SITE}/r?utm_source=x&UID=1849`, 'uid:1849'],
    [`${SITE}/r?job_uid=1849`, 'jobuid:1849'],
    [`${SITE}/r?u=${encodeURIComponent('https://other.example/job?pid=42&x=1')}`, 'pid:42'],
  ])('%s is known as %s', (url, key) => {
    expect(parseProjectKey(url)).toBe(key);
  });

  test('is the same for urls that differ in what does not tell projects apart', () => {
    const urls = [
      'https://www.market.example/p/shop?b=2&a=1',
      'http://market.example/p/shop/?a=1&b=2&utm_campaign=x#top',
      'https://MARKET.example:443/p/shop?a=1&b=2&gclid=9',
    ];
    expect(new Set(urls.map(parseProjectKey)).size).toBe(1);
    expect(parseProjectKey('https://market.example/p/shop?a=2&b=2')).not.toBe(parseProjectKey(urls[0] ?? ''));
  });

  test('takes a tilde that is no ciphertext for a part of the path', () => {
    expect(parseProjectKey(`${SITE}/~anna/1`)).toBe('url:market.example/~anna/1');
  });

  test.each([
    'javascript:alert(1)',
    'ftp://market.example/~021',
    'mailto:a@b.c?pid=1',
    '/jobs/~021',
    '',
    'https://',
  ])('%j has none', (url) => {
    expect(parseProjectKey(url)).toBeUndefined();
  });

  test('never fails and stays short, whatever the url', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (url) => {
        expect((parseProjectKey(url) ?? '').length).toBeLessThanOrEqual(500);
        parseProjectReference(url);
      }),
    );
    const long = parseProjectKey(`${SITE}/${'a'.repeat(5_000)}`);
    expect(long?.length).toBeLessThanOrEqual(500);
    expect(long).not.toBe(parseProjectKey(`${SITE}/${'a'.repeat(5_001)}`));
  });
});

describe('how people name a project', () => {
  test.each([
    ['~021234567890', { ciphertext: '~021234567890' }],
    [' `~021234567890` ', { ciphertext: '~021234567890' }],
    ['%7E021234567890', { ciphertext: '~021234567890' }],
    ['1849123', { uid: '1849123' }],
    ['`ab_9-Xy`', { uid: 'ab_9-Xy' }],
    [`<${SITE}/jobs/~0211|Build a shop>`, { ciphertext: '~0211' }],
    [`<${SITE}/r?a=1&amp;uid=77>`, { uid: '77' }],
    [`have a look: ${SITE}/jobs/~0211, please`, { ciphertext: '~0211' }],
    [`(${SITE}/r?job_uid=42)`, { uid: '42' }],
    [`${SITE}/r?pid=42&uid=77`, { uid: '77' }],
    [`${SITE}/r?pid=42&to=${encodeURIComponent(`${SITE}/jobs/~0211`)}`, { ciphertext: '~0211' }],
    [`“${SITE}/jobs/~0211”`, { ciphertext: '~0211' }],
  ])('%j', (text, reference) => {
    expect(parseProjectReference(text)).toEqual(reference);
  });

  test.each(['pid', 'PID', 'job_id', 'jobId', 'projectId', 'project-id'])('a %s is no uid', (name) => {
    const link = `${SITE}/r?${name}=42`;
    expect(parseProjectReference(link)).toBeUndefined();
    expect(hasLinkWithoutProjectId(link)).toBe(true);
    expect(parseProjectKey(link)).toBe(`${name.toLowerCase().replaceAll(/[_-]/g, '')}:42`);
  });

  test.each([
    '',
    'a shop',
    `${SITE}/jobs/shop`,
    '12 34',
    '~',
    '~abc',
    '-5',
    '_5',
    'shop',
    '../a5',
    'a/5',
    'a?b=5',
    'a&5',
    'a%2F5',
    'a.5',
    'é5',
    'uid:5',
    `a${'5'.repeat(100)}`,
  ])('%j names none', (text) => {
    expect(parseProjectReference(text)).toBeUndefined();
  });
});
