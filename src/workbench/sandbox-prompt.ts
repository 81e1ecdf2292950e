/** The sandbox's prompt: type as one of the people, press what stands in the channels, fill in modals, make trouble. */
import { choose, closeModal, fill, submit, typedInto } from './sandbox-forms.ts';
import { moveJob } from './sandbox-jobs.ts';
import { EVENTS, order, orderTrouble, TROUBLES } from './sandbox-market.ts';
import type { Prompt } from './sandbox-place.ts';
import { findPressable, type Pressable } from './sandbox-press.ts';
import { CHANNELS, PEOPLE } from './sandbox-seed.ts';
import type { Message, PressAnswer, View } from './slack/simulated-slack.ts';

export const PROMPT_HELP = `Type one of these:
  /gig help                  a command, as the present person in the present channel
  press Claim                a button (or an option of a … menu) of the latest message that has it, or of the open modal
  fill Cover letter = Hello  types into an input of the open modal, by its label; \\n begins a new line
  choose Setup = Fast lane   chooses in a menu of the open modal; choose Setup tells what it offers
  submit                     sends the open modal; what is wrong is told at its fields
  close                      closes the open modal
  say <text>                 writes a message; links of projects are unfurled
  thread                     the thread of the channel that was written in last
  home                       opens the person's Home of Gigdesk; press … works in it until you go to a channel
  #new-projects              goes to a channel: ${CHANNELS.map((name) => `#${name}`).join(' ')}
  as ben                     becomes another person: ${Object.entries(PEOPLE)
    .map(([name, what]) => `${name} (${what})`)
    .join(', ')}
  job sends | fails          ends the latest job; jobs that wait for nobody end by themselves within half a minute
  ${EVENTS.map(({ typed }) => typed).join(' | ')}
                             what Marketplace has in the page: a project, an invitation, an outcome comes about; jobs run; an hour passes
  trouble ${TROUBLES.join(' | ')}
                             the marketplace refuses, breaks, drops requests, is slow, loses the answer to the next bid;
                             its credits are spent, are there again; it is well again
  quit`;

/** Carries out one line. @returns false when the person wants to leave. */
export async function obey(prompt: Prompt, line: string): Promise<boolean> {
  const [word = ''] = line.trim().split(/\s+/);
  const rest = line.trim().slice(word.length).trim();
  if (word === '') return true;
  if (word === 'quit' || word === 'exit') return false;
  if (word === '/gig') await command(prompt, rest);
  else if (word.startsWith('#')) goTo(prompt, word.slice(1));
  else await (verbs.get(word) ?? unknown)(prompt, rest);
  return true;
}

type Verb = (prompt: Prompt, rest: string) => Promise<void> | void;

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['press', press],
  ['fill', fill],
  ['choose', choose],
  ['submit', submit],
  ['close', closeModal],
  ['say', say],
  ['thread', showThread],
  ['home', openHome],
  ['as', become],
  ['job', ({ marketplace, print }, words) => moveJob(marketplace, words, print)],
  ...EVENTS.map((each): [string, Verb] => [each.typed, (prompt) => order(prompt, each)]),
  ['trouble', orderTrouble],
  ['help', ({ print }) => print(PROMPT_HELP)],
]);

const unknown: Verb = ({ print }) => print(`Not understood. ${PROMPT_HELP}`);

async function command({ slack, place, print }: Prompt, text: string): Promise<void> {
  const answer = await slack.command({ user: place.person, channel: place.channel, text });
  if (!answer.acked) print(`(Slack shows: /gig failed with the error “${answer.failure}”)`);
}

function goTo({ place, print }: Prompt, name: string): void {
  const isThere = (CHANNELS as readonly string[]).includes(name);
  if (isThere) Object.assign(place, { channel: name, atHome: false });
  print(isThere ? `(${place.person} is in #${name} now)` : `There is no #${name}.`);
}

function become({ slack, place, print, show }: Prompt, name: string): void {
  const isThere = Object.hasOwn(PEOPLE, name);
  if (isThere) Object.assign(place, { person: name, atHome: false });
  const others = Object.keys(PEOPLE).join(', ');
  print(
    isThere ? `(you are ${name} now, in #${place.channel})` : `There is no ${name}. There are ${others}.`,
  );
  const view = isThere ? slack.view(name) : undefined;
  if (view) print(`(${name} has this modal open)\n${show(view)}`);
}

/** The app publishes it when it hears that it was opened; what stood there before is shown until then. */
async function openHome({ slack, place, print, show }: Prompt): Promise<void> {
  const before = slack.home(place.person);
  place.atHome = true;
  if (before)
    print(`(the Home of ${place.person}, as it stood; #${place.channel} leads back)\n${show(before)}`);
  const { acked } = await slack.openHome({ user: place.person });
  if (!acked) print('(the app did not answer)');
}

/** What is in sight: an open modal alone, else the Home that was opened, else the person's own and the channel's messages, latest first. */
function inSight({ slack, place }: Prompt): readonly (Message | View)[] {
  const view = slack.view(place.person);
  if (view) return [view];
  const home = place.atHome ? slack.home(place.person) : undefined;
  if (home) return [home];
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
  const { slack, place, print } = prompt;
  if (place.atHome && !slack.view(place.person))
    return print(`The Home has no “${words}”. #${place.channel} leads back to the channel.`);
  print(
    slack.view(place.person)
      ? `The open modal has no “${words}”. \`close\` closes it, if you mean something behind it.`
      : `Nothing in sight says “${words}”.`,
  );
}

async function pressFound(prompt: Prompt, on: Message | View, found: Pressable): Promise<void> {
  const { slack, place, print } = prompt;
  const values = isView(on) ? typedInto(prompt.typed, on) : {};
  const target = isView(on) ? { view: on, values } : { message: on };
  const at = { ...target, user: place.person, actionId: found.actionId, blockId: found.blockId };
  const answer =
    found.kind === 'button'
      ? await slack.press({ ...at, value: found.value })
      : await slack.choose({ ...at, option: found.option });
  // Slack has it by now, and so has the app.
  if (isView(on)) prompt.typed.delete(on.id);
  tellAnswer(answer, print);
}

function tellAnswer({ confirm, acked }: PressAnswer, print: (text: string) => void): void {
  if (confirm)
    print(
      `(Slack asks first: ${confirm.title}\n ${confirm.text}\n and you press [${confirm.confirm}], not [${confirm.deny}])`,
    );
  if (!acked) print('(the app did not answer)');
}

async function say({ slack, place }: Prompt, text: string): Promise<void> {
  const urls = text.match(/https?:\/\/\S+/g) ?? [];
  if (urls.length === 0) slack.say({ user: place.person, channel: place.channel, text });
  else await slack.linkShared({ user: place.person, channel: place.channel, text, urls });
}

function newestIn(thread: readonly Message[]): number {
  return Math.max(...thread.map((message) => Number(message.ts)));
}

/** The one that was written in last. */
function showThread({ slack, place, print, show }: Prompt): void {
  const [latest] = slack
    .messages(place.channel)
    .map((message) => slack.thread(place.channel, message.ts))
    .filter((thread) => thread.length > 1)
    .toSorted((a, b) => newestIn(b) - newestIn(a));
  print(latest ? latest.map(show).join('\n\n') : 'No thread here.');
}
