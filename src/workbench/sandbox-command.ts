/** `npm run sandbox`: the product with a simulated marketplace and a simulated Slack, as a page. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machineRandom } from '../clock.ts';
import { asError } from '../errors.ts';
import { SkippingClock } from './clocks.ts';
import { coverageAsMarkdown } from './marketplace/coverage.ts';
import { apiAssumptionsAsMarkdown } from './marketplace/mode-assumptions.ts';
import { prepareSandbox } from './sandbox-start.ts';
import { playSandboxIntro } from './sandbox-tour.ts';

const USAGE =
  'Use `npm run sandbox`, with `-- --port 5000` for another port. ' +
  '`-- --guesses` prints what is assumed of the API.';
const MOST_PORT = 65_535;
/** Failures appear on the page. */
const LOG_LEVEL = 'error';

/** What the API's description leaves open: what is assumed, and the mode that answers otherwise. */
function describeGuesses(): string {
  return `## Guesses, and the mode that changes each

${apiAssumptionsAsMarkdown()}
## Documented behavior

simulated: as documented. chosen: the description leaves details open. absent: not simulated.

${coverageAsMarkdown()}`;
}

function refuse(sentence: string): never {
  console.log(sentence);
  process.exit(1);
}

function readOptions() {
  try {
    return parseArgs({ options: { port: { type: 'string' }, guesses: { type: 'boolean' } } }).values;
  } catch (thrown) {
    return refuse(`${asError(thrown).message}.\n${USAGE}`);
  }
}

const { port, guesses } = readOptions();
if (guesses) {
  console.log(describeGuesses());
  process.exit(0);
}
if (port !== undefined && !(/^\d+$/u.test(port) && Number(port) <= MOST_PORT))
  refuse(`--port takes a number up to ${MOST_PORT}.`);

const clock = new SkippingClock();
const sandbox = await prepareSandbox({
  clock,
  random: machineRandom,
  // Beside the program that runs this.
  root: path.resolve(process.argv[1] ?? '', '../page'),
  logLevel: LOG_LEVEL,
  log: process.stderr,
  // Digests use the time zone of this machine.
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  ...(port === undefined ? {} : { port: Number(port) }),
});

async function end(): Promise<never> {
  await sandbox.stop();
  process.exit(0);
}
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());

await sandbox.start();
console.log('Gigdesk is running with a simulated marketplace and a simulated Slack.');
console.log(`\nOpen in a browser: ${sandbox.page.origin}\n\nCtrl+C ends it.`);
await playSandboxIntro(sandbox, clock, machineRandom);
sandbox.traffic.start();
