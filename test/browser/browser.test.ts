import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { findMissingPackages } from './missing-packages.ts';

const { address, trouble = '' } = inject('surroundings');
const found =
  address === undefined
    ? `NO BROWSER STARTS HERE: the tests of the page were left out (${trouble.slice(0, 300)})`
    : 'a browser starts here, and the page is tried in it';

it(found, () => {
  // Only a person's own run may leave the page's tests out.
  if (process.env['CI']) expect(trouble).toBe('');
  expect(address === undefined).toBe(trouble !== '');
});

it('a browser that lacks libraries names their Debian packages, which .ci/run installs', () => {
  const linked = `
    libnspr4.so => not found
    libnss3.so => not found
    libnssutil3.so => not found
    libexpat.so.1 => not found
    libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007fbb7196a000)`;
  const packages = findMissingPackages(linked);
  expect(packages).toEqual(['libnspr4', 'libnss3', 'libexpat1']);
  const script = readFileSync('.ci/run', 'utf8');
  for (const name of packages) expect(script).toMatch(new RegExp(`\\b${name}\\b`, 'u'));
});
