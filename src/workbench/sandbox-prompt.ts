/** The sandbox's prompt: type as one of the people, press what stands in the channels, make trouble. */
import { faults } from './marketplace/faults.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { findPressable, type Pressable } from './sandbox-press.ts';
import { CHANNELS, PEOPLE } from './sandbox-seed.ts';
import type { Message, SimulatedSlack, View } from './slack/simulated-slack.ts';

export const PROMPT_HELP = `Type one of these:
  /gig help                 a command, as the present person in the present channel
  press Claim               a button (or an option of a … menu) of the latest message that has it
  submit                    submits the open modal; submit name=value fills inputs first
  close                     closes the open modal
  say <text>                writes a message; links of projects are unfurled
  thread                    the latest thread of the channel
  #new-projects             goes to a channel: ${CHANNELS.map((name) => `#${name}`).join(' ')}
  as ben                    becomes another person: ${Object.keys(PEOPLE).join(', ')}
  trouble 429 | 500 | credits | off      the marketplace refuses, breaks, has no credits left; or is well again
  quit`;

export interface Place {
  channel: string;
  person: string;
}

export interface Prompt {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly place: Place;
  readonly print: (text: string) => void;
  readonly show: (on: Message | View) => string;
}

/** Carries out one line. @returns false when the person wants to leave. */
export async function obey(prompt: Prompt, line: string): Promise<boolean> {
  const [word = '', ...more] = line.trim().split(/\s+/);
  const rest = line.trim().slice(word.length).trim();
  if (word === '') return true;
  if (word === 'quit' || word === 'exit') return false;
  if (word === '/gig') await command(prompt, rest);
  else if (word.startsWith('#')) goTo(prompt, word.slice(1));
  else await (verbs[word] ?? unknown)(prompt, rest, more);
  return true;
}

type Verb = (prompt: Prompt, rest: string, words: readonly string[]) => Promise<void> | void;

const verbs: Readonly<Record<string, Verb>> = {
  press: (prompt, words) => press(prompt, words),
  submit: (prompt, _rest, pairs) => submit(prompt, pairs),
  close: async ({ slack, place }) => void (await slack.closeView({ user: place.person })),
  say: (prompt, text) => say(prompt, text),
  thread: (prompt) => showThread(prompt),
  as: (prompt, name) => become(prompt, name),
  trouble: (prompt, kind) => trouble(prompt, kind),
  help: ({ print }) => print(PROMPT_HELP),
};

const unknown: Verb = ({ print }) => print(`Not understood. ${PROMPT_HELP}`);

async function command({ slack, place, print }: Prompt, text: string): Promise<void> {
  const answer = await slack.command({ user: place.person, channel: place.channel, text });
  if (!answer.acked) print(`(Slack shows: /gig failed with the error “${answer.failure}”)`);
}

function goTo({ place, print }: Prompt, name: string): void {
  const isThere = (CHANNELS as readonly string[]).includes(name);
  if (isThere) place.channel = name;
  print(isThere ? `(${place.person} is in #${name} now)` : `There is no #${name}.`);
}

function become({ place, print }: Prompt, name: string): void {
  const isThere = Object.hasOwn(PEOPLE, name);
  if (isThere) place.person = name;
  const others = Object.keys(PEOPLE).join(', ');
  print(
    isThere ? `(you are ${name} now, in #${place.channel})` : `There is no ${name}. There are ${others}.`,
  );
}

/** What is in sight: an open modal alone, else the person's own and the channel's messages, latest first. */
function inSight({ slack, place }: Prompt): readonly (Message | View)[] {
  const view = slack.view(place.person);
  if (view) return [view];
  const threads = slack.messages(place.channel).flatMap((message) => slack.thread(place.channel, message.ts));
  const own = slack.ephemerals(place.person, place.channel);
  return [...threads, ...own].toSorted((a, b) => Number(b.ts) - Number(a.ts));
}

function isView(on: Message | View): on is View {
  return 'callbackId' in on;
}

async function press(prompt: Prompt, words: string): Promise<void> {
  for (const on of inSight(prompt)) {
    const found = findPressable(on, words);
    if (found) return await pressFound(prompt, on, found);
  }
  prompt.print(`Nothing in sight says “${words}”.`);
}

async function pressFound(
  { slack, place, print }: Prompt,
  on: Message | View,
  found: Pressable,
): Promise<void> {
  const target = isView(on) ? { view: on } : { message: on };
  const at = { ...target, user: place.person, actionId: found.actionId, blockId: found.blockId };
  const answer =
    found.kind === 'button'
      ? await slack.press({ ...at, value: found.value })
      : await slack.choose({ ...at, option: found.option });
  if (answer.confirm)
    print(`(asked first: ${answer.confirm.title}: ${answer.confirm.text} [${answer.confirm.confirm}])`);
  if (!answer.acked) print('(the app did not answer)');
}

async function submit({ slack, place, print }: Prompt, pairs: readonly string[]): Promise<void> {
  if (!slack.view(place.person)) return print('No modal is open.');
  const values = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const answer = await slack.submitView({ user: place.person, values });
  for (const [block, error] of Object.entries(answer.errors)) print(`(${block}: ${error})`);
}

async function say({ slack, place }: Prompt, text: string): Promise<void> {
  const urls = text.match(/https?:\/\/\S+/g) ?? [];
  if (urls.length === 0) slack.say({ user: place.person, channel: place.channel, text });
  else await slack.linkShared({ user: place.person, channel: place.channel, text, urls });
}

function showThread({ slack, place, print, show }: Prompt): void {
  const threads = slack.messages(place.channel).map((message) => slack.thread(place.channel, message.ts));
  const latest = threads.findLast((thread) => thread.length > 1);
  print(latest ? latest.map(show).join('\n') : 'No thread here.');
}

function trouble({ marketplace, print }: Prompt, kind: string): void {
  if (kind === '429') {
    marketplace.fault({}, faults.rateLimited('20'), 3);
    print('(the marketplace refuses the next three requests; the bot waits as long as it is told to)');
  } else if (kind === '500') {
    marketplace.fault({}, faults.status(500), Number.POSITIVE_INFINITY);
    print(
      '(every request fails now: /gig status tells it at once, the channels hear of it after three minutes)',
    );
  } else if (kind === 'credits') {
    marketplace.setCredits(0);
    print('(the account has no credits left; the channels hear of it once)');
  } else if (kind === 'off') {
    marketplace.clearFaults();
    marketplace.setCredits(10_000);
    print(
      '(the marketplace is well again; the bot finds out by itself, after lost credits within ten minutes)',
    );
  } else print('Which trouble: 429, 500, credits or off?');
}
