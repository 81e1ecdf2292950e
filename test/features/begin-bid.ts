/** A card that can be bid on, in a world of its own: what people do with it, and what they see of it. */
import { expect, onTestFinished } from 'vitest';
import type { Bid } from '../../src/bidding/records.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type { PublishedProject } from '../../src/workbench/marketplace/simulated-marketplace.ts';
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
import { type World, wordsOf } from './world.ts';

/** Ben is who acts and reads where nobody is named, and the card is that in the channel `web`. */
export class BidAtHand {
  readonly world: World;
  readonly project: PublishedProject;

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

  /** What stands below the card. */
  thread(): readonly string[] {
    return threadOf(this.world, this.card());
  }

  /** Presses what the card offers in these words. */
  press(words: string, user?: string, confirm?: 'accept' | 'deny'): Promise<PressResult> {
    return press(this.world, words, { message: this.card() }, user, confirm);
  }

  /** Opens the form from the card. */
  open(user?: string): Promise<SlackView> {
    return openBid(this.world, this.project, user);
  }

  /** What a person has open. */
  view(user = 'ben'): SlackView {
    return viewOf(this.world, user);
  }

  /** All words on what a person has open. */
  screen(user?: string): string {
    return wordsOfView(this.view(user));
  }

  /** Presses what the open view offers in these words. */
  pressOnScreen(words: string, user?: string, confirm?: 'accept' | 'deny'): Promise<PressResult> {
    return press(this.world, words, { view: this.view(user) }, user, confirm);
  }

  /** Submits the open form; what was not filled in stays as it is. */
  submit(user?: string, values?: InputValues): Promise<SubmitResult> {
    return submitBid(this.world, user, values);
  }

  /** The last message that a person alone was shown beside the card. */
  note(user = 'ben'): SlackMessage {
    return this.world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail(`${user} was shown nothing`);
  }

  /** Its words. */
  told(user?: string): string {
    return wordsOf(this.note(user));
  }

  /** A line that tells of somebody's bid with a setup, in whatever words, wherever it stands. */
  bidBy(user: string, setup: string): RegExp {
    return new RegExp(`<@${this.world.slack.user(user).id}>[^"\\\\\n]*${setup}`, 'u');
  }

  /** The same as people read it. */
  toldAsRead(user?: string): string {
    return asRead(this.world, this.told(user));
  }

  /** What a person has open, as they read it. */
  screenAsRead(user?: string): string {
    return viewAsRead(this.world, this.view(user));
  }

  /** What stands below the card, as people read it. */
  threadAsRead(): string {
    return asRead(this.world, this.thread().join('\n'));
  }

  /** The lines of the card that name somebody: its bids, and who claimed it. */
  cardLines(): string {
    const lines = this.cardWords().split('\n');
    return asRead(this.world, lines.filter((it) => it.includes('<@')).join('\n'));
  }

  /** What is on record of bids. */
  books(): Promise<BidBooks> {
    return this.world.read((tx) => readBidBooks(tx, this.world.slack.team.id));
  }

  /** How the bids stand on record. */
  async states(): Promise<readonly Bid['state'][]> {
    return (await this.books()).bids.map(({ state }) => state);
  }

  /** How the approvals of jobs stand on record. */
  async approvalStates() {
    const { jobs } = await this.books();
    return jobs.flatMap(({ approval }) => (approval ? [approval.state] : []));
  }

  /** Requests that asked for a job, as the marketplace saw them. */
  creates() {
    return creates(this.world);
  }

  approvals() {
    return approvals(this.world);
  }

  /** The one job that there is. */
  job(): SimulatedJob {
    return onlyJob(this.world);
  }
}

/** Begins a world for the test that runs, which ends with it. */
export async function begin(
  options: Parameters<typeof startBidWorld>[0] = {},
): Promise<{ readonly bid: BidAtHand; readonly world: World }> {
  const begun = await startBidWorld(options);
  onTestFinished(() => begun.world.stop());
  return { bid: new BidAtHand(begun), world: begun.world };
}
