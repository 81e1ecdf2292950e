/** The sandbox's prompt: type as one of the people, press buttons, fill in modals, inject failures. */
import {
  chooseModalOption,
  closeModal,
  collectEnteredValues,
  fillModalField,
  submitOpenModal,
} from './sandbox-forms.ts';
import { endLatestJob } from './sandbox-jobs.ts';
import {
  FAULT_COMMAND_NAMES,
  MARKET_EVENT_CONTROLS,
  runFaultCommand,
  runMarketControl,
} from './sandbox-market.ts';
import { findPressable, type Pressable } from './sandbox-press.ts';
import type { PromptContext } from './sandbox-prompt-context.ts';
import { SANDBOX_CHANNELS, SANDBOX_PEOPLE } from './sandbox-seed.ts';
import type { PressResult, SlackMessage, SlackView } from './slack/simulated-slack.ts';

const PRESS_HELP =
  'presses a button or a … menu option in the open modal, or in the latest message that has it';
const MARKET_HELP =
  'like the panel beside the messages: hurries for a minute; adds a project, one with a hint, ' +
  'an invitation, an outcome, or a strange project; runs jobs; skips 1 hour';
const FAULT_HELP =
  'the marketplace limits the rate, returns errors, drops requests, responds slowly, ' +
  'loses the response to the next bid;';

export const PROMPT_HELP = `Type one of these:
  /gig help                  runs a command as the current person in the current channel
  press Claim                ${PRESS_HELP}
  fill Cover letter = Hello  fills a field of the open modal, by its label; \\n starts a new line
  choose Setup = Fast lane   chooses from a menu of the open modal; choose Setup lists the options
  submit                     submits the open modal; errors appear at its fields
  close                      closes the open modal
  say <text>                 posts a message; project links get a preview
  thread                     shows the thread with the latest reply in this channel
  home                       opens the person's Gigdesk Home; press … works there until you go to a channel
  #new-projects              goes to a channel: ${SANDBOX_CHANNELS.map((name) => `#${name}`).join(' ')}
  as ben                     acts as another person: ${Object.entries(SANDBOX_PEOPLE)
    .map(([name, what]) => `${name} (${what})`)
    .join(', ')}
  job sends | fails          ends the latest job; jobs that need no approval end within half a minute
  ${MARKET_EVENT_CONTROLS.map(({ typed }) => typed).join(' | ')}
                             ${MARKET_HELP}
  trouble ${FAULT_COMMAND_NAMES.join(' | ')}
                             ${FAULT_HELP}
                             spends all credits, refills them, or works normally again
  quit`;

/** Runs one line. @returns false when the person wants to quit */
export async function runPromptLine(prompt: PromptContext, line: string): Promise<boolean> {
  const [word = ''] = line.trim().split(/\s+/);
  const rest = line.trim().slice(word.length).trim();
  if (word === '') return true;
  if (word === 'quit' || word === 'exit') return false;
  if (word === '/gig') await command(prompt, rest);
  else if (word.startsWith('#')) goTo(prompt, word.slice(1));
  else await (verbs.get(word) ?? unknown)(prompt, rest);
  return true;
}

type Verb = (prompt: PromptContext, rest: string) => Promise<void> | void;

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['press', press],
  ['fill', fillModalField],
  ['choose', chooseModalOption],
  ['submit', submitOpenModal],
  ['close', closeModal],
  ['say', say],
  ['thread', showThread],
  ['home', openHome],
  ['as', become],
  ['job', ({ marketplace, print }, words) => endLatestJob(marketplace, words, print)],
  ...MARKET_EVENT_CONTROLS.map((each): [string, Verb] => [
    each.typed,
    (prompt) => runMarketControl(prompt, each),
  ]),
  ['trouble', runFaultCommand],
  ['help', ({ print }) => print(PROMPT_HELP)],
]);

const unknown: Verb = ({ print }) => print(`Unknown command. ${PROMPT_HELP}`);

async function command({ slack, place, print }: PromptContext, text: string): Promise<void> {
  const answer = await slack.runSlashCommand({ user: place.person, channel: place.channel, text });
  if (!answer.acked) print(`(Slack shows: /gig failed with the error “${answer.failure}”)`);
}

function goTo({ place, print }: PromptContext, name: string): void {
  const isThere = (SANDBOX_CHANNELS as readonly string[]).includes(name);
  if (isThere) Object.assign(place, { channel: name, atHome: false });
  print(isThere ? `(${place.person} is now in #${name})` : `There's no #${name}.`);
}

function become({ slack, place, print, show }: PromptContext, name: string): void {
  const isThere = Object.hasOwn(SANDBOX_PEOPLE, name);
  if (isThere) Object.assign(place, { person: name, atHome: false });
  const others = Object.keys(SANDBOX_PEOPLE).join(', ');
  print(
    isThere ? `(you're now ${name}, in #${place.channel})` : `There's no ${name}. Choose from ${others}.`,
  );
  const view = isThere ? slack.view(name) : undefined;
  if (view) print(`(${name} has this modal open)\n${show(view)}`);
}

/** The app publishes the Home when it gets the event; until then, the last version shows. */
async function openHome({ slack, place, print, show }: PromptContext): Promise<void> {
  const before = slack.home(place.person);
  place.atHome = true;
  if (before)
    print(`(${place.person}'s Home as last shown; type #${place.channel} to go back)\n${show(before)}`);
  const { acked } = await slack.openHome({ user: place.person });
  if (!acked) print("(the app didn't respond)");
}

/**
 * What the person sees: the open modal alone, else the open Home, else the channel's messages and their own
 * ephemeral ones, newest first.
 */
function inSight({ slack, place }: PromptContext): readonly (SlackMessage | SlackView)[] {
  const view = slack.view(place.person);
  if (view) return [view];
  const home = place.atHome ? slack.home(place.person) : undefined;
  if (home) return [home];
  const threads = slack.messages(place.channel).flatMap((message) => slack.thread(place.channel, message.ts));
  const own = slack.ephemerals(place.person, place.channel);
  return [...threads, ...own].toSorted((a, b) => Number(b.ts) - Number(a.ts));
}

function isView(on: SlackMessage | SlackView): on is SlackView {
  return 'callbackId' in on;
}

async function press(prompt: PromptContext, words: string): Promise<void> {
  for (const on of inSight(prompt)) {
    const found = findPressable(on, words);
    if (found) return await pressFound(prompt, on, found);
  }
  const { slack, place, print } = prompt;
  if (place.atHome && !slack.view(place.person))
    return print(`There's no “${words}” on the Home. Type #${place.channel} to go back to the channel.`);
  print(
    slack.view(place.person)
      ? `There's no “${words}” in the open modal. To press something behind it, type \`close\` first.`
      : `There's no “${words}” in this channel.`,
  );
}

async function pressFound(
  prompt: PromptContext,
  on: SlackMessage | SlackView,
  found: Pressable,
): Promise<void> {
  const { slack, place, print } = prompt;
  const values = isView(on) ? collectEnteredValues(prompt.typed, on) : {};
  const target = isView(on) ? { view: on, values } : { message: on };
  const at = { ...target, user: place.person, actionId: found.actionId, blockId: found.blockId };
  const answer =
    found.kind === 'button'
      ? await slack.press({ ...at, value: found.value })
      : await slack.chooseOption({ ...at, option: found.option });
  // The submitted values have reached Slack and the app.
  if (isView(on)) prompt.typed.delete(on.id);
  tellAnswer(answer, print);
}

function tellAnswer({ confirm, acked }: PressResult, print: (text: string) => void): void {
  if (confirm) {
    const { title, text, deny } = confirm;
    print(`(Slack asks: ${title}\n ${text}\n You press [${confirm.confirm}], not [${deny}])`);
  }
  if (!acked) print("(the app didn't respond)");
}

async function say({ slack, place }: PromptContext, text: string): Promise<void> {
  const urls = text.match(/https?:\/\/\S+/g) ?? [];
  if (urls.length === 0) slack.postAsUser({ user: place.person, channel: place.channel, text });
  else await slack.postLinks({ user: place.person, channel: place.channel, text, urls });
}

function newestIn(thread: readonly SlackMessage[]): number {
  return Math.max(...thread.map((message) => Number(message.ts)));
}

/** The thread with the latest reply. */
function showThread({ slack, place, print, show }: PromptContext): void {
  const [latest] = slack
    .messages(place.channel)
    .map((message) => slack.thread(place.channel, message.ts))
    .filter((thread) => thread.length > 1)
    .toSorted((a, b) => newestIn(b) - newestIn(a));
  print(latest ? latest.map(show).join('\n\n') : 'No threads here.');
}
