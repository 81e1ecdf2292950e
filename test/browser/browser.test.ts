import { expect, inject, it } from 'vitest';

const { address, trouble = '' } = inject('surroundings');
const hasBrowser = address !== undefined;
const found = hasBrowser
  ? 'a browser starts here, and the page is tried in it'
  : `NO BROWSER STARTS HERE: the tests of the page were left out (${trouble.slice(0, 160)})`;

it(found, () => {
  expect(hasBrowser || trouble !== '').toBe(true);
});
