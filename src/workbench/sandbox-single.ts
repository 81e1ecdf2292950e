/** The sandbox of one process: both simulated services, the bot, three channels as text, and a prompt. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { machineRandom } from '../clock.ts';
import { SkippingClock } from './clocks.ts';
import { emojiForName } from './page/render/emoji.ts';
import { PROMPT_HELP, runPromptLine } from './sandbox-prompt.ts';
import type { PromptContext, PromptLocation } from './sandbox-prompt-context.ts';
import { SANDBOX_PEOPLE } from './sandbox-seed.ts';
import { prepareSandbox } from './sandbox-start.ts';
import { playSandboxIntro } from './sandbox-tour.ts';
import type { SlackChange, SlackMessage, SlackView } from './slack/simulated-slack.ts';
import { renderMessageText, renderViewText } from './slack/text.ts';

/** Failures appear in the channels; log lines between the cards would only hide them. */
const LOG_LEVEL = 'error';
const WIDTH = Math.min(process.stdout.columns ?? 100, 100);
const clock = new SkippingClock();

/** `npm run sandbox -- --port 5000` */
const { values: chosen } = parseArgs({ options: { port: { type: 'string' } } });

const sandbox = await prepareSandbox({
  clock,
  random: machineRandom,
  logLevel: LOG_LEVEL,
  log: process.stderr,
  // Digests use the time zone of this machine.
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  ...(chosen.port === undefined ? {} : { port: Number(chosen.port) }),
});
const { slack, marketplace, market, page, traffic } = sandbox;

function print(text: string): void {
  console.log(text);
}

function show(on: SlackMessage | SlackView): string {
  const fileOf = (id: string) => slack.files().find((file) => file.id === id);
  const options = { width: WIDTH, nameOf: (id: string) => nameOf(id), fileOf, signOf: emojiForName };
  return 'callbackId' in on ? renderViewText(on, options) : renderMessageText(on, options);
}

/** Names of people and channels, as Slack shows them. */
function nameOf(id: string): string | undefined {
  try {
    return id.startsWith('C') ? slack.channel(id).name : slack.user(id).name;
  } catch {
    return undefined;
  }
}

/** Prints a message with its channel. */
function printMessage(message: SlackMessage, what: string, isTold = true): void {
  const channel = slack.channel(message.channel);
  const to = message.ephemeralFor ? ` · only visible to ${slack.user(message.ephemeralFor).name}` : '';
  const where = channel.kind === 'im' ? `direct message` : `#${channel.name}`;
  const head = `\n── ${where}${message.threadTs ? ' · thread' : ''}${to}${what} ${'─'.repeat(12)}`;
  print(isTold ? `${head}\n${show(message)}` : head);
}

/** Prints the current person's modals whenever they change. */
function printViews(place: PromptLocation): (userId: string) => void {
  let last = '';
  return (userId) => {
    if (userId !== slack.user(place.person).id) return;
    const view = slack.view(place.person);
    const shown = view ? `\n── ${place.person}'s modal ${'─'.repeat(12)}\n${show(view)}` : '';
    if (shown !== '' && shown !== last) print(shown);
    last = shown;
  };
}

/** Prints the current person's open Home whenever it changes. */
function printHomes(place: PromptLocation): (userId: string) => void {
  let last = '';
  return (userId) => {
    if (!place.atHome || userId !== slack.user(place.person).id) return;
    const view = slack.home(place.person);
    const shown = view ? `\n── ${place.person}'s Home ${'─'.repeat(12)}\n${show(view)}` : '';
    if (shown !== '' && shown !== last) print(shown);
    last = shown;
  };
}

/** Prints every change in Slack. */
function printChanges(place: PromptLocation): void {
  const printView = printViews(place);
  const printHome = printHomes(place);
  slack.onChange((change: SlackChange) => {
    if (change.kind === 'posted' || change.kind === 'ephemeral') printMessage(change.message, '');
    if (change.kind === 'edited') printMessage(change.message, ' · updated');
    if (change.kind === 'unfurled') printMessage(change.message, ' · link preview added', false);
    if (change.kind === 'view') printView(change.userId);
    if (change.kind === 'home') printHome(change.userId);
  });
}

async function takeLines(prompt: PromptContext): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const line of lines) {
    try {
      if (!(await runPromptLine(prompt, line))) return;
    } catch (thrown) {
      print(`That didn't work: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  // Standard input is closed, for example in the background: run until a signal comes.
  await new Promise(() => {});
}

const place: PromptLocation = { channel: 'new-projects', person: Object.keys(SANDBOX_PEOPLE)[0] ?? 'ada' };
printChanges(place);

async function end(): Promise<never> {
  await sandbox.stop();
  process.exit(0);
}
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());

await sandbox.start();
const intro =
  'Gigdesk is running with a simulated marketplace and a simulated Slack. ' +
  'The first minute is lively. After that, a project arrives every few minutes: type hurry for more.';
print(`${intro}\n\nOpen in a browser: ${page.origin}\n\n${PROMPT_HELP}\n`);
await playSandboxIntro(sandbox, clock, machineRandom, (words) => print(`\n${words}`));
traffic.start();
await takeLines({ slack, marketplace, market, place, typed: new Map(), print, show });
await end();
