/** What people do in the workspaces meanwhile. Faults may fail any of it; the checks come afterwards. */
import { SECOND } from '../../../src/clock.ts';
import { messageAt } from '../../kit/read-screen.ts';
import type { Dice } from '../../play/dice.ts';
import { until } from '../../processes/until.ts';
import { ENOUGH_CREDITS, postOf, type Workspace } from '../../processes/workspace.ts';

export const PEOPLE = ['ada', 'ben'];
const NEWEST = 5;
/** Real time: a form opens within Slack's 3 s, or never. */
const FORM_WITHIN_MS = 4 * SECOND;
const COMMANDS = ['list', 'status', 'budget', 'help'];

export class People {
  readonly #dice: Dice;
  /** One thing at a time for each. */
  readonly #busy = new Set<string>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Someone does something, unless all are busy. Nothing awaits it. */
  act(workspace: Workspace): void {
    const keyOf = (name: string) => `${workspace.marker} ${name}`;
    const name = this.#dice.any(PEOPLE.filter((it) => !this.#busy.has(keyOf(it))));
    const share = this.#dice.share();
    if (name === undefined) return;
    const key = keyOf(name);
    this.#busy.add(key);
    const doing = this.#do(workspace, name, share).finally(() => this.#busy.delete(key));
    void this.#dice.try(`${key} ${share.toFixed(2)}`, () => doing);
  }

  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  #do(workspace: Workspace, name: string, share: number): Promise<unknown> {
    const unfollowed = workspace.filters.find((it) => !workspace.followed().includes(it));
    const say = (text: string) => workspace.person(name).type(`/gig ${text}`);
    if (unfollowed !== undefined && share < 0.3) return workspace.follow(unfollowed);
    if (share < 0.35) return say(this.#dice.pick(COMMANDS));
    if (share < 0.42) return say(`budget ${ENOUGH_CREDITS - Math.floor(this.#dice.share() * 100)}`);
    if (share < 0.72) return this.#bid(workspace, name);
    if (share < 0.9) return this.#approve(workspace, name);
    return this.#pressOnCard(workspace, name);
  }

  #newestCard(workspace: Workspace) {
    const message = this.#dice.any(workspace.cards().slice(-NEWEST));
    return message && messageAt(workspace.slack, message);
  }

  async #pressOnCard(workspace: Workspace, name: string): Promise<void> {
    const card = this.#newestCard(workspace);
    const label = this.#dice.pick(['Claim', 'Details', 'Release']);
    if (card?.offers(label)) await workspace.person(name).press(card, label);
    await workspace.person(name).close();
  }

  async #bid(workspace: Workspace, name: string): Promise<void> {
    const { slack, letters, marker } = workspace;
    const card = this.#newestCard(workspace);
    const isDouble = this.#dice.share() < 0.2;
    const isRepeated = this.#dice.share() < 0.2;
    const label = ['Try Again', 'Bid'].find((it) => card?.offers(it));
    if (!card || label === undefined) return;
    await workspace.person(name).close();
    await workspace.person(name).press(card, label);
    const form = () => workspace.person(name).form();
    await until('a form', () => form().text.includes('Cover letter'), { boundMs: FORM_WITHIN_MS });
    const letter = `${marker} letter ${letters.length + 1}`;
    letters.push(letter);
    const send = () => form().send({ 'Bidding setup': 'Setup', 'Cover letter': letter });
    await Promise.all([send(), ...(isDouble ? [send()] : [])]);
    // Slack may send it again, to another replica.
    const request = slack.sentRequests().findLast(({ payload }) => payload['type'] === 'view_submission');
    workspace.chooseReplica();
    if (isRepeated && request) await slack.resendRequest(request);
  }

  async #approve(workspace: Workspace, name: string): Promise<void> {
    const { slack, approvals } = workspace;
    const replies = slack
      .messages('web')
      .slice(-3 * NEWEST)
      .flatMap(({ ts }) => slack.thread('web', ts));
    const requests = replies.filter((it) => postOf(it).startsWith('approval-request:'));
    const open = requests.map((it) => messageAt(slack, it)).filter((it) => it.offers('Approve'));
    const request = this.#dice.any(open);
    if (!request) return this.#bid(workspace, name);
    approvals.add(request.text);
    await workspace.person(name).press(request, 'Approve');
  }
}
