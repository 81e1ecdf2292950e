/** Which Debian packages the browser of the npm packages still needs. */
import { execFileSync } from 'node:child_process';

/** The libraries that a slim image doesn't have. `.ci/run` installs their packages. */
const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^lib(?:nspr4|plc4|plds4)\.so/u, 'libnspr4'],
  [/^lib(?:nss3|nssutil3|smime3|ssl3)\.so/u, 'libnss3'],
  [/^libexpat\.so/u, 'libexpat1'],
];

/** @param linked what `ldd` prints. A library of no known package is named itself. */
export function findMissingPackages(linked: string): readonly string[] {
  const libraries = [...linked.matchAll(/^\s*(\S+) => not found/gmu)].map(([, name = '']) => name);
  const packages = libraries.map((name) => PACKAGES.find(([known]) => known.test(name))?.[1] ?? name);
  return [...new Set(packages)];
}

/** Completes “No browser starts”: what to install, as far as it can be known here. */
export function describeMissingPackages(executable: string): string {
  try {
    const missing = findMissingPackages(execFileSync('ldd', [executable], { encoding: 'utf8' }));
    return missing.length === 0 ? '' : `Install these Debian packages: ${missing.join(', ')}. `;
  } catch {
    return '';
  }
}
