/** What people do in the workspaces meanwhile. Faults may fail any of it; the checks come afterwards. */
import { SECOND } from '../../../src/clock.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { findPressable } from '../../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../../src/workbench/slack/simulated-slack.ts';
import { messageAt } from '../../kit/read-screen.ts';
import type { Dice } from '../../play/dice.ts';
import { CHANNEL, ENOUGH_CREDITS, PEOPLE, type PersonName, type Place, postOf } from './place.ts';
import { comesTrue } from './until.ts';

const NEWEST = 5;
/** Real time: a form opens within Slack's 3 s, or never. */
const FORM_WITHIN_MS = 4 * SECOND;
const ANSWER_WITHIN_MS = 4 * SECOND;
const COMMANDS = ['list', 'status', 'budget', 'help'];

export interface Tally {
  /** Commands, presses and forms. */
  requests: number;
  /** Slack showed the person an error: a replica was killed, or answered too late. */
  failed: number;
}

export class People {
  readonly tally: Tally = { requests: 0, failed: 0 };
  readonly #dice: Dice;
  readonly #nextAddress: () => string | undefined;
  readonly #busy = new Set<string>();

  constructor(dice: Dice, nextAddress: () => string | undefined) {
    this.#dice = dice;
    this.#nextAddress = nextAddress;
  }

  /** Someone does something, unless all are busy. Nothing awaits it. */
  act(place: Place): void {
    const free = PEOPLE.filter((name) => !this.#busy.has(busyKey(place, name)));
    const person = this.#dice.any(free);
    const dice = this.#dice.share();
    if (!person) return;
    const key = busyKey(place, person);
    this.#busy.add(key);
    const doing = this.#do(place, person, dice).finally(() => this.#busy.delete(key));
    void this.#dice.try(`${place.marker} ${person} ${dice.toFixed(2)}`, () => doing);
  }

  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  #do(place: Place, person: PersonName, dice: number): Promise<unknown> {
    const unfollowed = place.filters.find((it) => !place.followed.has(it));
    if (unfollowed !== undefined && dice < 0.3) return this.subscribe(place, unfollowed);
    if (dice < 0.35) return this.ask(place, person, this.#dice.pick(COMMANDS));
    if (dice < 0.42) return this.setBudget(place, ENOUGH_CREDITS - Math.floor(this.#dice.share() * 100));
    if (dice < 0.72) return this.#bid(place, person);
    if (dice < 0.9) return this.#approve(place, person);
    return this.#pressOnCard(place, person);
  }

  /** @returns what the person reads afterwards; empty without an answer */
  async ask(place: Place, user: PersonName, text: string): Promise<string> {
    const { slack } = place;
    const shown = () => [...slack.ephemerals(user, CHANNEL), ...slack.messages(CHANNEL)];
    const before = new Set(shown().map(({ ts }) => ts));
    const isNew = (it: SlackMessage) => !before.has(it.ts) && postOf(it) === '';
    const { acked, body } = await this.#send(place, () =>
      slack.runSlashCommand({ user, channel: CHANNEL, text }),
    );
    if (!acked) return '';
    await comesTrue(() => shown().some(isNew), body ? 0 : ANSWER_WITHIN_MS);
    return [
      ...shown()
        .filter(isNew)
        .map((it) => messageAt(slack, it).text),
      body ? JSON.stringify(body) : '',
    ].join('\n');
  }

  /** What follows counts only once the list shows it. */
  async subscribe(place: Place, filter: number): Promise<boolean> {
    await this.ask(place, 'ada', `subscribe filter ${filter}`);
    const list = await this.ask(place, 'ada', 'list');
    // Its name, or its number until Gigdesk has read the name.
    const isShown = new RegExp(`\\bfilter ${filter}\\b`, 'iu').test(list);
    if (isShown) place.followed.add(filter);
    return isShown;
  }

  setBudget(place: Place, credits: number): Promise<string> {
    return this.ask(place, 'ada', `budget ${credits}`);
  }

  /** Ada makes everyone a bidder. */
  async letAllBid(place: Place): Promise<boolean> {
    const { slack } = place;
    await this.#send(place, () => slack.runSlashCommand({ user: 'ada', channel: CHANNEL, text: 'access' }));
    const bidders = () => slack.view('ada')?.blocks.find((it) => it.block_id.startsWith('bidders'));
    await comesTrue(() => bidders() !== undefined, FORM_WITHIN_MS);
    const values = { [bidders()?.block_id ?? '']: PEOPLE.map((name) => slack.user(name).id) };
    const { action } = await this.#send(place, () => slack.submitView({ user: 'ada', values }));
    return action === 'close' || action === 'clear';
  }

  /** Posts the cards of summaries, each of which lists many projects. */
  async openSummaries(place: Place): Promise<void> {
    for (const message of place.slack.messages(CHANNEL)) {
      if (!JSON.stringify(message.blocks).includes(actionIds.showMore)) continue;
      const count = place.cards().length;
      await this.#send(place, () =>
        place.slack.press({ user: 'ada', message, actionId: actionIds.showMore }),
      );
      await comesTrue(() => place.cards().length > count, ANSWER_WITHIN_MS);
    }
  }

  /** The request arrives at the next replica. */
  async #send<T extends { readonly acked: boolean }>(place: Place, act: () => Promise<T>): Promise<T> {
    const address = this.#nextAddress();
    if (address !== undefined) place.slack.attachHttp(`${address}/slack/events`);
    const result = await act();
    this.tally.requests += 1;
    if (!result.acked) this.tally.failed += 1;
    return result;
  }

  async #press(
    place: Place,
    user: PersonName,
    words: string,
    on: { message: SlackMessage } | { view: SlackView },
  ): Promise<void> {
    const found = findPressable('message' in on ? on.message : on.view, words);
    if (!found) return;
    const { slack } = place;
    const at = { ...on, user, actionId: found.actionId, blockId: found.blockId };
    await this.#send(place, () =>
      found.kind === 'button'
        ? slack.press({ ...at, value: found.value, confirm: 'accept' })
        : slack.chooseOption({ ...at, option: found.option }),
    );
  }

  async #pressOnCard(place: Place, user: PersonName): Promise<void> {
    const message = this.#dice.any(place.cards().slice(-NEWEST));
    const words = this.#dice.pick(['Claim', 'Details', 'Unclaim']);
    if (message) await this.#press(place, user, words, { message });
    await closeAll(place, user);
  }

  async #bid(place: Place, user: PersonName): Promise<void> {
    const { slack } = place;
    const message = this.#dice.any(place.cards().slice(-NEWEST));
    const isDouble = this.#dice.share() < 0.2;
    const isRepeated = this.#dice.share() < 0.2;
    if (!message) return;
    await closeAll(place, user);
    const words = findPressable(message, 'Try Again') ? 'Try Again' : 'Bid';
    await this.#press(place, user, words, { message });
    await comesTrue(() => isForm(slack.view(user)), FORM_WITHIN_MS);
    const view = slack.view(user);
    if (!view || !isForm(view)) return;
    const letter = `${place.marker} letter ${place.letters.length + 1}`;
    place.letters.push(letter);
    const values = { setup: String(place.setup), cover_letter: letter };
    const submit = () => this.#send(place, () => slack.submitView({ user, view, values }));
    await Promise.all([submit(), ...(isDouble ? [submit()] : [])]);
    // Slack may send it again, to another replica.
    const request = slack.sentRequests().findLast(({ payload }) => payload['type'] === 'view_submission');
    if (isRepeated && request) await this.#send(place, () => slack.resendRequest(request));
  }

  async #approve(place: Place, user: PersonName): Promise<void> {
    const { slack } = place;
    const newest = slack.messages(CHANNEL).slice(-3 * NEWEST);
    const replies = newest.flatMap(({ ts }) => slack.thread(CHANNEL, ts));
    const open = replies.filter(
      (it) => postOf(it).startsWith('approval-request:') && findPressable(it, 'Approve'),
    );
    const message = this.#dice.any(open);
    const found = message && findPressable(message, 'Approve');
    if (!message || found?.kind !== 'button') return this.#bid(place, user);
    place.approvals.push(found.value);
    await this.#press(place, user, 'Approve', { message });
  }
}

const isForm = (view: SlackView | undefined) => view?.submit === 'Send Bid';

function busyKey(place: Place, name: PersonName): string {
  return `${place.marker} ${name}`;
}

async function closeAll({ slack }: Place, user: PersonName): Promise<void> {
  if (slack.view(user)) await slack.closeView({ user, all: true });
}
