/** Finds what a person can press and submit, and does each kind once. */
import { listInteractiveElements } from '../../src/workbench/slack/blocks/assign-block-ids.ts';
import { listOfferedOptions } from '../../src/workbench/slack/blocks/composition.ts';
import { objectOrEmpty } from '../../src/workbench/slack/json-reading.ts';
import type { InputValues, JsonObject, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { Person } from '../kit/person.ts';
import { fieldsOf, type Screen, type Shown } from '../kit/read-screen.ts';
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

/** Something that a person may do now. Once done, others with its key are not done any more. */
interface Offer extends Deed {
  readonly key: string;
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
    return this.#run(name, on, (it) => !LAST.has(it.id));
  }

  /** The same, with what removes something. */
  end({ name }: Person): Promise<void> {
    return this.#run(name, undefined, () => true);
  }

  /** As if this had not been pressed yet. */
  forget(actionId: string): void {
    this.#done.delete(actionId);
  }

  async #run(user: string, on: Screen | undefined, wanted: (it: Offer) => boolean): Promise<void> {
    for (let left = 200; left > 0; left--) {
      const offer = this.#offers(user, on).find((it) => !this.#done.has(it.key) && wanted(it));
      if (offer) {
        this.#done.add(offer.key);
        await this.#step(offer);
      } else if (this.#desk.slack.view(user)) await this.#desk.person(user).close();
      else return;
    }
    throw new Error('the crawl does not end');
  }

  #offers(user: string, on?: Screen): readonly Offer[] {
    const { slack } = this.#desk;
    const view = slack.view(user);
    if (view) return [...offersOn(this.#desk, user, { view }), ...submission(this.#desk, user, view)];
    if (on?.shown) return offersOn(this.#desk, user, on.shown);
    const { id } = slack.user(user);
    const home = slack.home(user);
    const channels = slack.channels().filter((it) => it.kind !== 'im' && it.members.includes(id));
    const messages = [
      ...channels.flatMap((it) => slack.messages(it.id).flatMap(({ ts }) => slack.thread(it.id, ts))),
      ...slack.directMessages(user),
      ...slack.ephemerals(user),
    ].filter((it) => it.byBot);
    const all = [...messages.map((message) => ({ message })), ...(home ? [{ view: home }] : [])];
    return all.toReversed().flatMap((it) => offersOn(this.#desk, user, it));
  }
}

function submission(desk: Desk, user: string, view: SlackView): readonly Offer[] {
  if (view.submit === undefined) return [];
  const key = ['form', view.callbackId, ...fieldsOf(view).map((it) => it.label)].join();
  const send = () => desk.slack.submitView({ user, view, values: requiredInput(desk, view), asItWas: true });
  return [{ user, id: view.callbackId, kind: 'view', key, send }];
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

function offersOn({ slack }: Desk, user: string, on: Shown): readonly Offer[] {
  const blocks = 'message' in on ? on.message.blocks : on.view.blocks;
  const elements = listInteractiveElements(blocks).filter(
    ({ block }) => block.type !== 'input' || block['dispatch_action'] === true,
  );
  return elements.flatMap(({ block, element }): readonly Offer[] => {
    const actionId = String(element['action_id']);
    const at = { ...on, user, actionId, blockId: block.block_id, confirm: 'accept', force: true } as const;
    const deed = { user, id: actionId, kind: 'action', key: actionId } as const;
    const choose = (option: string) => ({ ...deed, send: () => slack.chooseOption({ ...at, option }) });
    const { type, value } = element;
    if (type === 'button')
      return [{ ...deed, send: () => slack.press(typeof value === 'string' ? { ...at, value } : at) }];
    const options = listOfferedOptions(element).map((it) => String(it['value']));
    if (type === 'overflow')
      return options.map((it) => ({ ...choose(it), key: `${actionId} ${it.slice(0, 12)}` }));
    const initial = objectOrEmpty(element['initial_option'])['value'];
    const option = options.find((it) => it !== initial) ?? options[0];
    return option === undefined ? [] : [choose(option)];
  });
}
