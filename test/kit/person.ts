/** A person in the simulated Slack: types, presses, fills in forms by their labels, and reads what shows. */
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import type {
  InputValues,
  SimulatedSlack,
  SlackMessage,
  SlackView,
} from '../../src/workbench/slack/simulated-slack.ts';
import {
  blocksOf,
  type Field,
  fieldsOf,
  findField,
  findOption,
  findPressable,
  initialValue,
  readText,
  type Shown,
} from './read-screen.ts';
import type { Desk } from './start-desk.ts';

/** By label: text, a number, an option's text, people's or channels' names; a list of them; null to clear. */
export type Input = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Something that a person sees: a message, a form, Home. It shows its current state, until it is gone. */
export interface Screen {
  /** All text, with `@ada` and `#web` for IDs; with the errors of a form's fields. */
  readonly text: string;
  /** Whether a button, or a choice of a menu, begins with these words. */
  offers(label: string): boolean;
  readonly shown: Shown | undefined;
}

export interface Message extends Screen {
  readonly channel: string;
  readonly ts: string;
  /** Replies, oldest first. */
  readonly thread: readonly Message[];
  /** The message as it is now, for a person who looked away: a press then goes to what it offered. */
  asSeen(): Message;
}

/** What a person sees after an action: an open form, else what was posted or changed. */
export interface Answer extends Screen {
  press(label: string, input?: Input): Promise<Answer>;
  /** Submits the form. Fields that `input` leaves out keep their values. */
  send(input?: Input): Promise<Answer>;
  /** A field's value as the app filled it in. */
  value(label: string): string;
  /** The labels of a form's fields, in order. */
  readonly fields: readonly string[];
}

export interface Person {
  readonly name: string;
  readonly id: string;
  /** Runs a command, such as `/gig list`. */
  type(command: string, channel?: string): Promise<Answer>;
  /** Presses a button or chooses from a menu, with a form's input so far; confirms where Slack asks. */
  press(on: Screen, label: string, input?: Input): Promise<Answer>;
  /** Approves what a message asks for: there, or in Review where the message doesn't show all of it. */
  approve(on: Screen): Promise<Answer>;
  /** A channel's messages, oldest first, without replies. */
  reads(channel: string): readonly Message[];
  /** What only this person sees in a channel. */
  notes(channel: string): readonly Message[];
  /** Direct messages of the app. */
  readonly inbox: readonly Message[];
  /** Opens the app's Home. */
  home(): Promise<Answer>;
  /** The form on top; empty when none is open. */
  readonly form: Answer;
  /** Closes all forms. */
  close(): Promise<void>;
}

/** What Slack's client sends for a person's words in a field. */
async function valueIn(
  slack: SimulatedSlack,
  user: string,
  view: SlackView,
  field: Field,
  given: string | number | readonly string[],
): Promise<InputValues[string]> {
  const type = String(field.element['type']);
  const each = (choose: (words: string) => string) =>
    typeof given === 'object' ? given.map(choose) : choose(String(given));
  if (type.endsWith('users_select')) return each((it) => slack.user(it).id);
  if (/(?:channels|conversations)_select$/u.test(type)) return each((it) => slack.channel(it).id);
  if (type.endsWith('external_select')) {
    const at = { user, view, actionId: String(field.element['action_id']), blockId: field.blockId };
    const [first] = await slack.requestSuggestions({ ...at, query: String(given) });
    return first?.value ?? null;
  }
  return listOfferedOptions(field.element).length > 0 ? each((it) => findOption(field, it)) : given;
}

/** A message that follows its edits; after it is deleted, as it was last. */
export function messageAt(desk: Desk, first: SlackMessage): Message {
  const { slack } = desk;
  const current = () =>
    slack.message(first.channel, first.ts) ??
    slack.ephemerals().find((it) => it.ts === first.ts && it.channel === first.channel) ??
    first;
  return {
    channel: first.channel,
    ts: first.ts,
    get shown() {
      return { message: current() };
    },
    get text() {
      return readText(slack, { message: current() });
    },
    get thread() {
      return slack
        .thread(first.channel, first.ts)
        .slice(1)
        .map((it) => messageAt(desk, it));
    },
    offers: (label) => findPressable({ message: current() }, label) !== undefined,
    asSeen() {
      const shown = { message: current() };
      const offers = (label: string) => findPressable(shown, label) !== undefined;
      return { ...this, shown, text: readText(slack, shown), offers };
    },
  };
}

export function createPerson(desk: Desk, name: string): Person {
  const { slack } = desk;
  const me = slack.user(name);

  const values = async (view: SlackView, input: Input): Promise<InputValues> => {
    const filled = Object.entries(input).map(async ([label, given]) => {
      const field = findField(view, label);
      return [field.blockId, given === null ? null : await valueIn(slack, name, view, field, given)];
    });
    return Object.fromEntries(await Promise.all(filled)) as InputValues;
  };

  /** A form, a message or nothing; `errors` by block. */
  const answer = (shown: Shown | undefined, errors: Readonly<Record<string, string>> = {}): Answer => {
    const current = (): Shown | undefined => {
      if (!shown || 'message' in shown) return shown && messageAt(desk, shown.message).shown;
      const { id } = shown.view;
      const open = [...slack.viewStack(name), slack.home(name)].find((it) => it?.id === id);
      return { view: open ?? shown.view };
    };
    const view = () => {
      const now = current();
      if (now && 'view' in now) return now.view;
      throw new Error(`${name} has no form here, but: ${now ? readText(slack, now) : 'nothing'}`);
    };
    const screen: Answer = {
      get shown() {
        return current();
      },
      get text() {
        const now = current();
        return [...(now ? [readText(slack, now)] : []), ...Object.values(errors)].join('\n');
      },
      offers: (label) => {
        const now = current();
        return now !== undefined && findPressable(now, label) !== undefined;
      },
      press: (label, input) => press(screen, label, input),
      send: async (input = {}) => {
        const form = view();
        const before = look();
        const filled = await values(form, input);
        const result = await desk.settleAfter(slack.submitView({ user: name, view: form, values: filled }));
        return result.action === 'errors' ? answer({ view: form }, result.errors) : seen(before);
      },
      value: (label) => initialValue(findField(view(), label)),
      get fields() {
        return fieldsOf(view()).map((it) => it.label);
      },
    };
    return screen;
  };

  const press = async (on: Screen, label: string, input: Input = {}): Promise<Answer> => {
    const { shown } = on;
    const found = shown && findPressable(shown, label);
    if (!found) throw new Error(`no “${label}” on: ${shown ? JSON.stringify(blocksOf(shown)) : 'nothing'}`);
    const { option, ...at } = found;
    const before = look(shown);
    const given = 'view' in shown ? await values(shown.view, input) : {};
    const target = { ...shown, ...at, user: name, values: given, confirm: 'accept', force: true } as const;
    await desk.settleAfter(
      option === undefined ? slack.press(target) : slack.chooseOption({ ...target, option }),
    );
    return seen(before, shown);
  };

  /** Everything that this person can see change. */
  const look = (pressed?: Shown) => ({
    views: new Map(slack.viewStack(name).map((it) => [it.id, it.hash])),
    notes: new Map(slack.ephemerals(name).map((it) => [it.ts, JSON.stringify(it)])),
    posts: new Set(posts(pressed).map((it) => it.ts)),
  });

  const posts = (pressed?: Shown): readonly SlackMessage[] => {
    const channels = slack.channels().filter((it) => it.kind !== 'im' && it.members.includes(me.id));
    const thread = pressed && 'message' in pressed ? threadOf(pressed.message) : [];
    const all = [
      ...channels.flatMap((it) => slack.messages(it.id)),
      ...slack.directMessages(name),
      ...thread,
    ];
    return all.filter((it) => it.byBot);
  };

  const threadOf = (message: SlackMessage) =>
    message.ephemeralFor === undefined ? slack.thread(message.channel, message.threadTs ?? message.ts) : [];

  /** A form that opened or changed, else the newest private answer, else the newest post. */
  const seen = (before: ReturnType<typeof look>, pressed?: Shown): Answer => {
    const top = slack.view(name);
    if (top && before.views.get(top.id) !== top.hash) return answer({ view: top });
    const note = slack.ephemerals(name).findLast((it) => before.notes.get(it.ts) !== JSON.stringify(it));
    if (note) return answer({ message: note });
    if (top) return answer({ view: top });
    const post = posts(pressed).findLast((it) => !before.posts.has(it.ts));
    return answer(post ? { message: post } : pressed);
  };

  return {
    name,
    id: me.id,
    type: async (command, channel = 'web') => {
      const [word = '', ...rest] = command.split(' ');
      const before = look();
      const sent = { user: name, channel, command: word, text: rest.join(' ') };
      await desk.settleAfter(slack.runSlashCommand(sent));
      return seen(before);
    },
    press,
    approve: async (on) => {
      if (on.offers('Approve')) return press(on, 'Approve');
      const review = await press(on, 'Review');
      return review.send();
    },
    reads: (channel) => slack.messages(channel).map((it) => messageAt(desk, it)),
    notes: (channel) => slack.ephemerals(name, channel).map((it) => messageAt(desk, it)),
    get inbox() {
      return slack.directMessages(name).map((it) => messageAt(desk, it));
    },
    home: async () => {
      await desk.settleAfter(slack.openHome({ user: name }));
      const view = slack.home(name);
      return answer(view && { view });
    },
    get form() {
      const view = slack.view(name);
      return answer(view && { view });
    },
    close: async () => {
      if (slack.view(name)) await desk.settleAfter(slack.closeView({ user: name, all: true }));
    },
  };
}
