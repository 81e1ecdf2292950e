/** A card ready for bids in its own world, with user actions and what people see. */
import { expect, onTestFinished } from 'vitest';
import type { Bid } from '../../src/bidding/records.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type {
  InputValues,
  PressResult,
  SlackMessage,
  SlackView,
  SubmitResult,
} from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, viewAsRead } from './as-read.ts';
import {
  approvals,
  approve,
  type BidWorld,
  cardOf,
  creates,
  onlyJob,
  openBid,
  press,
  startBidWorld,
  submitBid,
  threadOf,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { type BidBooks, readBidBooks } from './read-bid-books.ts';
import { postOf, type World, wordsOf } from './world.ts';

/** Ben is the default user, and the default card is the one in channel `web`. */
export class BidAtHand {
  readonly world: World;
  readonly project: ProjectWithFilterIds;

  constructor({ world, project }: BidWorld) {
    this.world = world;
    this.project = project;
  }

  card(): SlackMessage {
    return cardOf(this.world, this.project);
  }

  cardWords(): string {
    return wordsOf(this.card());
  }

  /** The thread of the card. */
  thread(): readonly string[] {
    return threadOf(this.world, this.card());
  }

  /** Presses the card's button with this text. Approve is at the request in the card's thread, if any. */
  async press(words: string, user?: string, confirm?: 'accept' | 'deny'): Promise<PressResult> {
    if (words !== 'Approve') return press(this.world, words, { message: this.card() }, user, confirm);
    return approve(this.world, this.requests()[0] ?? this.card(), user, confirm);
  }

  /** The newest request for approval in the thread of the card. */
  request(): SlackMessage {
    return this.requests()[0] ?? expect.fail('nobody is asked to approve anything');
  }

  /** All of them, newest first. */
  requests(): readonly SlackMessage[] {
    const all = this.world.slack.thread('web', this.card().ts);
    return all.filter((it) => postOf(it).startsWith('approval-request:')).toReversed();
  }

  /** Opens the form from the card. */
  open(user?: string): Promise<SlackView> {
    return openBid(this.world, this.project, user);
  }

  /** The person's open view. */
  view(user = 'ben'): SlackView {
    return viewOf(this.world, user);
  }

  /** All text of the person's open view. */
  screen(user?: string): string {
    return wordsOfView(this.view(user));
  }

  /** Presses the button with this text in the open view. */
  pressOnScreen(words: string, user?: string, confirm?: 'accept' | 'deny'): Promise<PressResult> {
    return press(this.world, words, { view: this.view(user) }, user, confirm);
  }

  /** Submits the open form; other fields keep their values. */
  submit(user?: string, values?: InputValues): Promise<SubmitResult> {
    return submitBid(this.world, user, values);
  }

  /** The last ephemeral message beside the card. */
  note(user = 'ben'): SlackMessage {
    return this.world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail(`${user} was shown nothing`);
  }

  /** Its text. */
  told(user?: string): string {
    return wordsOf(this.note(user));
  }

  /** A line about a person's bid with a setup, with any wording, in any place. */
  bidBy(user: string, setup: string): RegExp {
    return new RegExp(`<@${this.world.slack.user(user).id}>[^"\\\\\n]*${setup}`, 'u');
  }

  /** The same as people read it. */
  toldAsRead(user?: string): string {
    return asRead(this.world, this.told(user));
  }

  /** The person's open view, as they read it. */
  screenAsRead(user?: string): string {
    return viewAsRead(this.world, this.view(user));
  }

  /** The thread of the card, as people read it. */
  threadAsRead(): string {
    return asRead(this.world, this.thread().join('\n'));
  }

  /** The card's lines with people's names: its bids, and who claimed it. */
  cardLines(): string {
    const lines = this.cardWords().split('\n');
    return asRead(this.world, lines.filter((it) => it.includes('<@')).join('\n'));
  }

  /** Stored bids. */
  books(): Promise<BidBooks> {
    return this.world.read((tx) => readBidBooks(tx, this.world.slack.team.id));
  }

  /** Statuses of stored bids. */
  async states(): Promise<readonly Bid['state'][]> {
    return (await this.books()).bids.map(({ state }) => state);
  }

  /** Statuses of stored job approvals. */
  async approvalStates() {
    const { jobs } = await this.books();
    return jobs.flatMap(({ approval }) => (approval ? [approval.state] : []));
  }

  /** Requests for a job, as the marketplace received them. */
  creates() {
    return creates(this.world);
  }

  approvals() {
    return approvals(this.world);
  }

  /** The only job. */
  job(): SimulatedJob {
    return onlyJob(this.world);
  }
}

/** Creates a world for the current test. */
export async function begin(
  options: Parameters<typeof startBidWorld>[0] = {},
): Promise<{ readonly bid: BidAtHand; readonly world: World }> {
  const begun = await startBidWorld(options);
  onTestFinished(() => begun.world.stop());
  return { bid: new BidAtHand(begun), world: begun.world };
}
