/** A person in the simulated Slack: types, presses, fills in forms by their labels, and reads what shows. */
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import type {
  InputValues,
  SimulatedSlack,
  SlackMessage,
  SlackView,
} from '../../src/workbench/slack/simulated-slack.ts';
import {
  type Field,
  fieldsOf,
  findField,
  findOption,
  findPressable,
  messageAt,
  type Screen,
  type Shown,
  screenOf,
} from './read-screen.ts';

/** By label: text, a number, an option's text, people's or channels' names; a list of them; null to clear. */
export type Input = Readonly<Record<string, string | number | null | readonly string[]>>;

/** What a person sees after an action: an open form, else what was posted or changed. */
export interface Answer extends Screen {
  press(label: string, input?: Input): Promise<Answer>;
  /** Submits the form. Fields that `input` leaves out keep their values. */
  send(input?: Input): Promise<Answer>;
  /** The labels of a form's fields, in order. */
  fields(): readonly string[];
  /** What is said at a form's fields after it was refused, by their labels. */
  mistakes(): Readonly<Record<string, string>>;
}

interface Place {
  readonly slack: SimulatedSlack;
  /** Waits for an action and what it leads to. */
  readonly settleAfter: <T>(action: Promise<T>) => Promise<T>;
}

function isPost(it: Shown): it is { readonly message: SlackMessage } {
  return 'message' in it && !it.message.ephemeralFor;
}

/** A form or private answer counts as another when it changes, a post doesn't. */
function stateOf(it: Shown): string {
  return isPost(it) ? it.message.ts : JSON.stringify(it);
}

export type Person = ReturnType<typeof createPerson>;

export function createPerson({ slack, settleAfter }: Place, name: string) {
  const { id } = slack.user(name);

  /** What Slack's client sends for the words in a field. */
  const valueIn = async (view: SlackView, field: Field, given: NonNullable<Input[string]>) => {
    const { type, action_id: actionId } = field.element;
    const each = (choose: (words: string) => string) =>
      typeof given === 'object' ? given.map(choose) : choose(String(given));
    if (String(type).endsWith('users_select')) return each((it) => slack.user(it).id);
    if (/(?:channels|conversations)_select$/u.test(String(type))) return each((it) => slack.channel(it).id);
    if (String(type).endsWith('external_select')) {
      const at = { user: name, view, actionId: String(actionId), blockId: field.blockId };
      const [first] = await slack.requestSuggestions({ ...at, query: String(given) });
      return first?.value ?? null;
    }
    return listOfferedOptions(field.element).length > 0 ? each((it) => findOption(field, it)) : given;
  };

  const valuesIn = async (view: SlackView, input: Input): Promise<InputValues> => {
    const filled = Object.entries(input).map(async ([label, given]) => {
      const field = findField(view, label);
      return [field.blockId, given === null ? null : await valueIn(view, field, given)] as const;
    });
    return Object.fromEntries(await Promise.all(filled));
  };

  const answer = (shown?: Shown, errors: Readonly<Record<string, string>> = {}): Answer => {
    const current = (): Shown | undefined => {
      if (!shown || 'message' in shown) return shown && messageAt(slack, shown.message).shown;
      const open = [...slack.viewStack(name), slack.home(name)].find((it) => it?.id === shown.view.id);
      return { view: open ?? shown.view };
    };
    const screen = screenOf(slack, current, Object.values(errors));
    const view = () => {
      const now = current();
      if (now && 'view' in now) return now.view;
      throw new Error(`${name} has no form here, but: ${screen.text || 'nothing'}`);
    };
    return Object.assign(screen, {
      press: (label: string, input?: Input) => press(screen, label, input),
      send: async (input: Input = {}) => {
        const form = view();
        const before = look();
        const values = await valuesIn(form, input);
        const result = await settleAfter(slack.submitView({ user: name, view: form, values }));
        return result.action === 'errors' ? answer({ view: form }, result.errors) : whatChanged(before);
      },
      fields: () => fieldsOf(view()).map((it) => it.label),
      mistakes: () => {
        const said = fieldsOf(view()).map(({ blockId, label }) => [label, errors[blockId] ?? ''] as const);
        return Object.fromEntries(said.filter(([, sentence]) => sentence !== ''));
      },
    });
  };

  const formOf = (view?: SlackView) => answer(view && { view });

  const press = async (on: Screen, label: string, input: Input = {}): Promise<Answer> => {
    const { shown } = on;
    const found = shown && findPressable(shown, label);
    if (!found) throw new Error(`no “${label}” on: ${on.text || 'nothing'}`);
    const { option, ...element } = found;
    const before = look(shown);
    const values = 'view' in shown ? await valuesIn(shown.view, input) : {};
    const at = { ...shown, ...element, user: name, values, confirm: 'accept', force: true } as const;
    await settleAfter(option === undefined ? slack.press(at) : slack.chooseOption({ ...at, option }));
    return whatChanged(before, shown);
  };

  /** All that this person can see change: posts of the app, private answers, the form on top. */
  const listVisible = (pressed?: Shown): readonly Shown[] => {
    const channels = slack.channels().filter((it) => it.kind !== 'im' && it.members.includes(id));
    const on = pressed && isPost(pressed) ? pressed.message : undefined;
    const messages = [
      ...channels.flatMap((it) => slack.messages(it.id)),
      ...slack.directMessages(name),
      ...(on ? slack.thread(on.channel, on.threadTs ?? on.ts) : []),
      ...slack.ephemerals(name),
    ];
    const top = slack.view(name);
    const shown = messages.filter((it) => it.byBot).map((message) => ({ message }));
    return [...shown, ...(top ? [{ view: top }] : [])];
  };

  const look = (pressed?: Shown) => new Set(listVisible(pressed).map(stateOf));

  /** A form or private answer that is new or changed, else the form that stays open, else the newest post. */
  const whatChanged = (before: ReadonlySet<string>, pressed?: Shown): Answer => {
    const last = listVisible(pressed).findLast((it) => !before.has(stateOf(it)));
    const top = slack.view(name);
    return answer(top && (!last || isPost(last)) ? { view: top } : (last ?? pressed));
  };

  return {
    name,
    id,
    /** Runs a command, such as `/gig list`. */
    type: async (line: string, channel = 'web'): Promise<Answer> => {
      const [command = '', ...rest] = line.split(' ');
      const before = look();
      await settleAfter(slack.runSlashCommand({ user: name, channel, command, text: rest.join(' ') }));
      return whatChanged(before);
    },
    /** Presses a button or chooses from a menu, with a form's input so far; confirms where Slack asks. */
    press,
    /** A channel's messages, oldest first, without replies. */
    reads: (channel: string) => slack.messages(channel).map((it) => messageAt(slack, it)),
    /** What only this person sees in a channel. */
    notes: (channel: string) => slack.ephemerals(name, channel).map((it) => messageAt(slack, it)),
    /** Direct messages of the app. */
    inbox: () => slack.directMessages(name).map((it) => messageAt(slack, it)),
    /** Opens the app's Home. */
    home: async (): Promise<Answer> => {
      await settleAfter(slack.openHome({ user: name }));
      return formOf(slack.home(name));
    },
    /** The form on top; empty when none is open. */
    form: () => formOf(slack.view(name)),
    /** Closes all forms. */
    close: async (): Promise<void> => {
      if (slack.view(name)) await settleAfter(slack.closeView({ user: name, all: true }));
    },
  };
}
