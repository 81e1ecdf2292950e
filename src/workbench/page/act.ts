/** Carries out what a person does in the page: the app hears of it as from Slack. */
import type { User } from '../slack/objects.ts';
import type { Failure, Filled, On, SimulatedSlack } from '../slack/simulated-slack.ts';
import type { ActOn, PageAct, PageAnswer } from './protocol.ts';
import { findChannel, findMessage, findPerson, findView, NotSeen } from './sight.ts';
import { readTyped } from './typed-text.ts';

const DONE: PageAnswer = { ok: true };

function refuse(problem: string): PageAnswer {
  return { ok: false, problem };
}

/** Done as far as Slack is concerned, and `words` say what the person reads where the app failed. */
function answerOf(failure: Failure | undefined, words: string): PageAnswer {
  return failure === undefined ? DONE : { ok: true, notice: words };
}

/** In Slack's words. */
const TROUBLE = 'We had some trouble connecting. Try again?';

function didNotAnswer(slack: SimulatedSlack, failure: Failure | undefined): PageAnswer {
  return answerOf(failure, `${slack.bot.name} didn't respond: “${failure}”. Try again in a moment.`);
}

function placeOf(slack: SimulatedSlack, person: User, on: ActOn): On {
  if ('view' in on) return { view: findView(slack, person, on.view) };
  const message = findMessage(slack, person, on.channel, on.ts);
  const { members, name } = slack.channel(message.channel);
  if (!members.includes(person.id)) throw new NotSeen(`Join #${name} first.`);
  return on.unfurl === undefined ? { message } : { message, unfurl: on.unfurl };
}

type Act<Kind extends PageAct['kind']> = Extract<PageAct, { kind: Kind }>;

async function command(slack: SimulatedSlack, person: User, act: Act<'command'>): Promise<PageAnswer> {
  const [, word, rest] = /^(\/[^\s]+)\s*([\s\S]*)$/u.exec(act.text.trim()) ?? [];
  if (word === undefined || rest === undefined) return refuse('Commands start with a slash.');
  const { id: channel } = findChannel(slack, person, act.channel);
  const { text } = readTyped(slack, person, rest);
  const { failure } = await slack.command({ user: person.id, channel, text, command: word });
  return answerOf(failure, `${word} failed with the error “${failure}”`);
}

async function say(slack: SimulatedSlack, person: User, act: Act<'say'>): Promise<PageAnswer> {
  const { id: channel } = findChannel(slack, person, act.channel);
  const thread = act.thread === undefined ? undefined : findMessage(slack, person, channel, act.thread).ts;
  const { text, urls } = readTyped(slack, person, act.text);
  const said = { user: person.id, channel, text, ...(thread === undefined ? {} : { threadTs: thread }) };
  // That a link went unnoticed is nothing that Slack tells a person.
  if (urls.length > 0) await slack.linkShared({ ...said, urls });
  else slack.say(said);
  return DONE;
}

async function onElement(
  slack: SimulatedSlack,
  person: User,
  act: Act<'press' | 'choose'>,
): Promise<PageAnswer> {
  const { actionId, blockId, values } = act;
  const filled: { values?: Filled } = values === undefined ? {} : { values };
  const at = { ...placeOf(slack, person, act.on), user: person.id, actionId, blockId, ...filled };
  const { failure } =
    act.kind === 'press' ? await slack.press(at) : await slack.choose({ ...at, option: act.option });
  return didNotAnswer(slack, failure);
}

async function suggest(slack: SimulatedSlack, person: User, act: Act<'suggest'>): Promise<PageAnswer> {
  const { actionId, blockId, query } = act;
  const on = placeOf(slack, person, act.on);
  return { ok: true, options: await slack.suggest({ ...on, user: person.id, actionId, blockId, query }) };
}

function upload(slack: SimulatedSlack, person: User, { name, data }: Act<'upload'>): PageAnswer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) return refuse(`“${name}” is empty.`);
  return { ok: true, file: slack.uploadFile({ user: person.id, name, bytes }).id };
}

async function submit(slack: SimulatedSlack, person: User, act: Act<'submit'>): Promise<PageAnswer> {
  const view = findView(slack, person, act.view);
  const answer = await slack.submitView({ user: person.id, view, values: act.values });
  if (Object.keys(answer.errors).length > 0) return { ok: true, errors: answer.errors };
  // An acknowledgement that Slack does not understand closes nothing, either.
  return answer.action === 'none' ? { ok: true, notice: TROUBLE } : DONE;
}

async function close(slack: SimulatedSlack, person: User, act: Act<'close'>): Promise<PageAnswer> {
  if (!slack.view(person.id)) return refuse('No window is open.');
  // The window is closed whether the app hears of it or not.
  await slack.closeView({ user: person.id, ...(act.all === undefined ? {} : { all: act.all }) });
  return DONE;
}

async function shortcut(slack: SimulatedSlack, person: User, act: Act<'shortcut'>): Promise<PageAnswer> {
  const message = findMessage(slack, person, act.channel, act.ts);
  const { failure } = await slack.messageShortcut({
    user: person.id,
    message,
    callbackId: act.callbackId,
  });
  return didNotAnswer(slack, failure);
}

async function dispatch(slack: SimulatedSlack, act: PageAct): Promise<PageAnswer> {
  const person = findPerson(slack, act.as);
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

/** What the simulator throws on purpose is a plain `Error` with words for whoever acts; anything else is a fault of ours. */
function isRefusal(thrown: unknown): thrown is Error {
  return thrown instanceof NotSeen || (thrown instanceof Error && thrown.constructor === Error);
}

function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase() + words.slice(1);
  return /[.!?]$/u.test(first) ? first : `${first}.`;
}

/** Resolves when the app has acknowledged, or Slack has given up on it. Never rejects for something that a person did. */
export async function act(slack: SimulatedSlack, given: PageAct): Promise<PageAnswer> {
  try {
    return await dispatch(slack, given);
  } catch (thrown) {
    if (isRefusal(thrown)) return refuse(sentence(thrown.message));
    throw thrown;
  }
}
