/** Which words of a text say what it is about. */
import { describe, expect, it } from 'vitest';
import { listSubjectWords } from '../../src/query/subject-words.ts';

const all = (text: string) => listSubjectWords(text, 100);

describe('the words that say what a text is about', () => {
  it('are its distinct words, in their order, without case and accents', () => {
    expect(all('Migrate Shopify stores: SHOPIFY, Café shopify')).toEqual([
      'migrate',
      'shopify',
      'stores',
      'cafe',
    ]);
    expect(all('')).toEqual([]);
  });

  it('are no common words, single letters or numbers, but words with digits', () => {
    expect(all('We need an experienced React developer for the job')).toEqual(['react']);
    expect(all('x 7 42 2026 go 3d web3 v2x')).toEqual(['go', '3d', 'web3', 'v2x']);
  });

  it('are the first of many', () => {
    expect(listSubjectWords('react vue svelte', 2)).toEqual(['react', 'vue']);
    expect(listSubjectWords('react vue svelte', 3)).toEqual(['react', 'vue', 'svelte']);
    expect(listSubjectWords('react', 0)).toEqual([]);
  });

  it('are read from the first 4,000 characters', () => {
    const filled = 'the '.repeat(999);
    expect(all(`${filled}vue svelte`)).toEqual(['vue']);
  });
});
