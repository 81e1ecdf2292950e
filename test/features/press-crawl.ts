/** Finds what a person can press and submit, and does each kind once. */
import { listInteractiveElements } from '../../src/workbench/slack/blocks/assign-block-ids.ts';
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import { objectOrEmpty } from '../../src/workbench/slack/json-reading.ts';
import type {
  InputValues,
  JsonObject,
  SlackMessage,
  SlackView,
} from '../../src/workbench/slack/simulated-slack.ts';
import type { Person } from '../kit/person.ts';
import { fieldsOf, type Screen } from '../kit/read-screen.ts';
import type { Desk } from '../kit/start-desk.ts';

/** A press or a submission. */
export interface Deed {
  readonly user: string;
  /** `action_id` or `callback_id`. */
  readonly id: string;
  readonly kind: 'action' | 'view';
  readonly send: () => Promise<unknown>;
}

export type Step = (deed: Deed) => Promise<void>;

interface Spot {
  readonly on: { readonly message: SlackMessage } | { readonly view: SlackView };
  readonly key: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value?: string;
  readonly option?: string;
}

/** What ends or removes something: pressed when nothing else is left. */
const LAST = new Set([
  'subscription_end',
  'profile_feed_end',
  'home_unsubscribe',
  'home_feed_end',
  'follow_end',
  'template_discard',
  'home_template_discard',
  'home_bid_discard',
  'mute_end',
]);

export class Crawl {
  readonly #done = new Set<string>();
  readonly #desk: Desk;
  readonly #step: Step;

  constructor(desk: Desk, step: Step) {
    this.#desk = desk;
    this.#step = step;
  }

  /** Presses and submits what this person sees (or only what is on a message) and nobody used before. */
  run({ name }: Person, on?: Screen): Promise<void> {
    return this.#run(name, on, (it) => !LAST.has(it.actionId));
  }

  /** The same, with what removes something. */
  end({ name }: Person): Promise<void> {
    return this.#run(name, undefined, () => true);
  }

  /** As if this had not been pressed yet. */
  forget(actionId: string): void {
    this.#done.delete(actionId);
  }

  async #run(user: string, on: Screen | undefined, wanted: (spot: Spot) => boolean): Promise<void> {
    for (let left = 200; left > 0; left--) {
      const view = this.#desk.slack.view(user);
      const spot = this.#spots(user, on).find((it) => !this.#done.has(it.key) && wanted(it));
      if (spot) await this.#press(user, spot);
      else if (view?.submit !== undefined && !this.#done.has(formKey(view))) await this.#submit(user, view);
      else if (view) await this.#desk.person(user).close();
      else return;
    }
    throw new Error('the crawl does not end');
  }

  #spots(user: string, on?: Screen): readonly Spot[] {
    const { slack } = this.#desk;
    const view = slack.view(user);
    if (view) return spotsOn({ view });
    if (on?.shown) return spotsOn(on.shown);
    const { id } = slack.user(user);
    const home = slack.home(user);
    const channels = slack.channels().filter((it) => it.kind !== 'im' && it.members.includes(id));
    const messages = [
      ...channels.flatMap((it) => slack.messages(it.id).flatMap(({ ts }) => slack.thread(it.id, ts))),
      ...slack.directMessages(user),
      ...slack.ephemerals(user),
    ].filter((it) => it.byBot);
    const all = [...messages.map((message) => ({ message })), ...(home ? [{ view: home }] : [])];
    return all.toReversed().flatMap(spotsOn);
  }

  async #press(user: string, { on, key, option, value, actionId, blockId }: Spot): Promise<void> {
    this.#done.add(key);
    const { slack } = this.#desk;
    const at = { ...on, user, actionId, blockId, confirm: 'accept', force: true } as const;
    const send = () =>
      option === undefined
        ? slack.press({ ...at, ...(value === undefined ? {} : { value }) })
        : slack.chooseOption({ ...at, option });
    await this.#step({ user, id: actionId, kind: 'action', send });
  }

  async #submit(user: string, view: SlackView): Promise<void> {
    this.#done.add(formKey(view));
    const { slack } = this.#desk;
    const values = requiredInput(this.#desk, view);
    const send = () => slack.submitView({ user, view, values, asItWas: true });
    await this.#step({ user, id: view.callbackId, kind: 'view', send });
  }
}

function formKey(view: SlackView): string {
  return ['form', view.callbackId, ...fieldsOf(view).map((it) => it.label)].join();
}

/** Something for each required field without a value. */
function requiredInput(desk: Desk, view: SlackView): InputValues {
  const isEmpty = (element: JsonObject) => !Object.keys(element).some((it) => it.startsWith('initial_'));
  const required = new Set(view.blocks.filter((it) => it['optional'] !== true).map((it) => it.block_id));
  const fields = fieldsOf(view).filter(({ blockId, element }) => required.has(blockId) && isEmpty(element));
  return Object.fromEntries(fields.map(({ blockId, element }) => [blockId, something(desk, element)]));
}

function something({ slack }: Desk, element: JsonObject): string {
  const type = String(element['type']);
  const [option] = listOfferedOptions(element);
  if (option) return String(option['value']);
  if (/users/u.test(type)) return slack.user('ben').id;
  if (/channels|conversations/u.test(type)) return slack.channel('data').id;
  return type.startsWith('number') ? '50' : 'Some words';
}

function spotsOn(on: Spot['on']): readonly Spot[] {
  const blocks = 'message' in on ? on.message.blocks : on.view.blocks;
  const elements = listInteractiveElements(blocks).filter(
    ({ block }) => block.type !== 'input' || block['dispatch_action'] === true,
  );
  return elements.flatMap(({ block, element }): Spot[] => {
    const actionId = String(element['action_id']);
    const at = { on, actionId, blockId: block.block_id, key: actionId };
    const { type, value } = element;
    if (type === 'button') return [typeof value === 'string' ? { ...at, value } : at];
    const options = listOfferedOptions(element).map((it) => String(it['value']));
    if (type === 'overflow')
      return options.map((option) => ({ ...at, option, key: `${actionId} ${option.slice(0, 12)}` }));
    const initial = objectOrEmpty(element['initial_option'])['value'];
    const option = options.find((it) => it !== initial) ?? options[0];
    return option === undefined ? [] : [{ ...at, option }];
  });
}
