import { expect, inject, it } from 'vitest';
import { hasBrowser } from './desk.ts';

const { trouble = '' } = inject('surroundings');
const found = hasBrowser
  ? 'a browser starts here, and the page is tried in it'
  : `NO BROWSER STARTS HERE: the tests of the page were left out (${trouble.slice(0, 160)})`;

it(found, () => {
  expect(hasBrowser || trouble !== '').toBe(true);
});
