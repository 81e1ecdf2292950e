// Says that Node.js is too old before anything that it can't read. In old syntax for the same reason.
const [needed] = /[\d.]+/.exec(require('../package.json').engines.node);
const { node: version } = process.versions;
const [major, minor] = version.split('.').map(Number);
const [neededMajor, neededMinor] = needed.split('.').map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(`Gigdesk needs Node.js ${needed} or newer, but this is ${version}.`);
  console.error('Install a newer one from https://nodejs.org, then run npm ci again.');
  process.exitCode = 1;
}
