/** Performs a person's action in the page: the app gets it as from Slack. */
import type { Block, SlackMessage, SlackUser } from '../slack/objects.ts';
import type {
  AppFailureCode,
  InputValues,
  SimulatedSlack,
  UserActionTarget,
} from '../slack/simulated-slack.ts';
import { parseComposedText } from './composed-text.ts';
import type { PageAction, PageActionResult, PageActionTarget } from './protocol.ts';
import {
  NotVisibleError,
  requirePerson,
  requireVisibleChannel,
  requireVisibleMessage,
  requireVisibleView,
} from './visibility.ts';

const DONE: PageActionResult = { ok: true };

function refuse(problem: string): PageActionResult {
  return { ok: false, problem };
}

/** The action succeeded in Slack; `words` are for the person if the app failed. */
function answerOf(failure: AppFailureCode | undefined, words: string): PageActionResult {
  return failure === undefined ? DONE : { ok: true, notice: words };
}

/** Slack's own words. */
const TROUBLE = 'We had some trouble connecting. Try again?';

function didNotAnswer(slack: SimulatedSlack, failure: AppFailureCode | undefined): PageActionResult {
  return answerOf(failure, `${slack.bot.name} didn't respond: “${failure}”. Try again in a moment.`);
}

function placeOf(slack: SimulatedSlack, person: SlackUser, on: PageActionTarget): UserActionTarget {
  if ('view' in on) return { view: requireVisibleView(slack, person, on.view) };
  const message = requireVisibleMessage(slack, person, on.channel, on.ts);
  const { members, name } = slack.channel(message.channel);
  if (!members.includes(person.id)) throw new NotVisibleError(`Join #${name} first.`);
  return on.unfurl === undefined ? { message } : { message, unfurl: on.unfurl };
}

/** Without fields that the app has just removed and the page still showed: Slack doesn't send them either. */
function presentValues({ blocks }: { readonly blocks: readonly Block[] }, values: InputValues): InputValues {
  const isPresent = (name: string) =>
    blocks.some(({ block_id: id }) => name === id || name.startsWith(`${id}.`));
  return Object.fromEntries(Object.entries(values).filter(([name]) => isPresent(name)));
}

type Act<Kind extends PageAction['kind']> = Extract<PageAction, { kind: Kind }>;

async function command(
  slack: SimulatedSlack,
  person: SlackUser,
  act: Act<'command'>,
): Promise<PageActionResult> {
  const [, word, rest] = /^(\/[^\s]+)\s*([\s\S]*)$/u.exec(act.text.trim()) ?? [];
  if (word === undefined || rest === undefined) return refuse('Commands start with a slash.');
  const { id: channel } = requireVisibleChannel(slack, person, act.channel);
  const { text } = parseComposedText(slack, person, rest);
  // Slack's own command; the app only learns that it was invited.
  if (word === '/invite' && isToBot(slack, text)) {
    await slack.joinChannel({ user: 'bot', channel, by: person.id });
    return DONE;
  }
  const { failure } = await slack.runSlashCommand({ user: person.id, channel, text, command: word });
  return answerOf(failure, `${word} failed with the error “${failure}”`);
}

function isToBot(slack: SimulatedSlack, text: string): boolean {
  return text.includes(`<@${slack.bot.userId}`);
}

/** The events of a message that asks the bot something. */
async function notifyBot(slack: SimulatedSlack, message: SlackMessage): Promise<void> {
  const { user, text, ts, channel, threadTs } = message;
  const isDirect = slack.channel(channel).kind === 'im';
  if (!isDirect && !isToBot(slack, text)) return;
  await slack.sendEvent(isDirect ? 'message' : 'app_mention', {
    user,
    text,
    ts,
    channel,
    ...(isDirect ? { channel_type: 'im' } : {}),
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    event_ts: ts,
  });
}

async function say(slack: SimulatedSlack, person: SlackUser, act: Act<'say'>): Promise<PageActionResult> {
  const { id: channel } = requireVisibleChannel(slack, person, act.channel);
  const thread =
    act.thread === undefined ? undefined : requireVisibleMessage(slack, person, channel, act.thread).ts;
  const { text, urls } = parseComposedText(slack, person, act.text);
  const said = { user: person.id, channel, text, ...(thread === undefined ? {} : { threadTs: thread }) };
  // Slack doesn't tell a person when the app misses a link.
  const message =
    urls.length > 0 ? (await slack.postLinks({ ...said, urls })).message : slack.postAsUser(said);
  await notifyBot(slack, message);
  return DONE;
}

async function onElement(
  slack: SimulatedSlack,
  person: SlackUser,
  act: Act<'press' | 'choose'>,
): Promise<PageActionResult> {
  const { actionId, blockId, values } = act;
  const on = placeOf(slack, person, act.on);
  const filled = values && { values: presentValues(on.view ?? on.message, values) };
  const at = { ...on, user: person.id, actionId, blockId, ...filled };
  const { failure } =
    act.kind === 'press' ? await slack.press(at) : await slack.chooseOption({ ...at, option: act.option });
  return didNotAnswer(slack, failure);
}

async function suggest(
  slack: SimulatedSlack,
  person: SlackUser,
  act: Act<'suggest'>,
): Promise<PageActionResult> {
  const { actionId, blockId, query } = act;
  const on = placeOf(slack, person, act.on);
  return {
    ok: true,
    options: await slack.requestSuggestions({ ...on, user: person.id, actionId, blockId, query }),
  };
}

function upload(slack: SimulatedSlack, person: SlackUser, { name, data }: Act<'upload'>): PageActionResult {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) return refuse(`“${name}” is empty.`);
  return { ok: true, file: slack.uploadFile({ user: person.id, name, bytes }).id };
}

async function submit(
  slack: SimulatedSlack,
  person: SlackUser,
  act: Act<'submit'>,
): Promise<PageActionResult> {
  const view = requireVisibleView(slack, person, act.view);
  const values = presentValues(view, act.values);
  const answer = await slack.submitView({ user: person.id, view, values });
  if (Object.keys(answer.errors).length > 0) return { ok: true, errors: answer.errors };
  // An invalid acknowledgement closes nothing, either.
  return answer.action === 'none' ? { ok: true, notice: TROUBLE } : DONE;
}

async function close(slack: SimulatedSlack, person: SlackUser, act: Act<'close'>): Promise<PageActionResult> {
  if (!slack.view(person.id)) return refuse('No window is open.');
  // The view closes whether or not the app gets the event.
  await slack.closeView({ user: person.id, ...(act.all === undefined ? {} : { all: act.all }) });
  return DONE;
}

async function shortcut(
  slack: SimulatedSlack,
  person: SlackUser,
  act: Act<'shortcut'>,
): Promise<PageActionResult> {
  const message = requireVisibleMessage(slack, person, act.channel, act.ts);
  const { failure } = await slack.messageShortcut({
    user: person.id,
    message,
    callbackId: act.callbackId,
  });
  return didNotAnswer(slack, failure);
}

async function dispatch(slack: SimulatedSlack, act: PageAction): Promise<PageActionResult> {
  const person = requirePerson(slack, act.as);
  switch (act.kind) {
    case 'command':
      return command(slack, person, act);
    case 'say':
      return say(slack, person, act);
    case 'press':
    case 'choose':
      return onElement(slack, person, act);
    case 'suggest':
      return suggest(slack, person, act);
    case 'upload':
      return upload(slack, person, act);
    case 'submit':
      return submit(slack, person, act);
    case 'close':
      return close(slack, person, act);
    case 'shortcut':
      return shortcut(slack, person, act);
    case 'open-home': {
      const { acked } = await slack.openHome({ user: person.id });
      return acked ? DONE : { ok: true, notice: `${slack.bot.name} didn't respond. Try again in a moment.` };
    }
  }
}

/** The simulator throws a plain `Error` with words for the person on purpose; any other error is our bug. */
function isRefusal(thrown: unknown): thrown is Error {
  return thrown instanceof NotVisibleError || (thrown instanceof Error && thrown.constructor === Error);
}

function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase() + words.slice(1);
  return /[.!?]$/u.test(first) ? first : `${first}.`;
}

/** Resolves when the app has acknowledged, or Slack gave up on it. Never rejects for a person's mistake. */
export async function performPageAction(slack: SimulatedSlack, given: PageAction): Promise<PageActionResult> {
  try {
    return await dispatch(slack, given);
  } catch (thrown) {
    if (isRefusal(thrown)) return refuse(sentence(thrown.message));
    throw thrown;
  }
}
