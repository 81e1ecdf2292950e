/**
 * Refuses a Node.js that is too old, with a sentence instead of a SyntaxError. Such a Node.js reads this file
 * and those that import it, too: they use no newer syntax and import nothing else.
 */

/** As `engines` in package.json says. */
const OLDEST = [20, 19];

/** Loads a program and so runs it. */
export function runOnNewNode(load: () => Promise<unknown>): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    void load();
    return;
  }
  const oldest = OLDEST.join('.');
  console.error(`Gigdesk needs Node.js ${oldest} or newer, but this is ${process.versions.node}.`);
  console.error(`Install a newer one from https://nodejs.org, or use the Docker image, which has one.`);
  process.exitCode = 1;
}
