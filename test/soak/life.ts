/** Workspace activity besides the simulations of projects and bids: claims, skips, mutes, commands. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import type { Followings } from '../features/books-followings.ts';
import type { World } from '../features/world.ts';
import type { Dice } from './dice.ts';
import { DIGESTS, PROFILE } from './place.ts';

const PEOPLE = ['ada', 'ben', 'cem'];
const CHANNELS = ['web', 'data', 'ops'];
const PRESSES = [
  'Claim',
  'Claim',
  'Release',
  'Details',
  'Undo Skip',
  'Show Next',
  'Show Best 10',
  'Show Newest 10',
  'Show All',
];
const COMMANDS = [
  'status',
  'list',
  'budget',
  'stats 30',
  'stats',
  'help',
  'audit',
  'setups',
  'results 101',
  'proposals is:hired',
  'proposals',
  'template drafts',
  'digest',
  'digest now',
  'subscribe filter nowhere',
  'lookup nothing',
];
/** People don't press older cards. */
const NEWEST = 12;

/** Sets up the scheduled digests, and the channels for invitations and outcomes. */
export async function settleIn(world: World): Promise<void> {
  const { marketplace } = world;
  marketplace.addProfile({ id: PROFILE, label: 'Ana Larsen', type: 'agency' });
  marketplace.addOrganization({
    id: 7,
    label: 'Studio',
    type: 'agency',
    contractors: [{ uid: 'c-1', name: 'Ana' }],
  });
  marketplace.addProposal({ profileId: PROFILE, organizationId: 7 });
  marketplace.addInvitation({ profileId: PROFILE, organizationId: 7, title: 'Of the past' });
  await world.pass(SECOND);
  for (const feed of ['invitations', 'outcomes']) {
    // These commands look people up at once, so the gate needs room.
    await world.pass(2 * MINUTE);
    await world.gig('web', `subscribe ${feed} ${PROFILE}`);
  }
  const list = await world.gig('web', 'list');
  if (!/\(31\).*\(31\)/su.test(list)) throw new Error(`not everything is followed: ${list}`);
  for (const { channel, command } of DIGESTS) await world.gig(channel, command);
  await world.pass(3 * MINUTE);
}

export class Life {
  /** Uids of the invitations so far. */
  readonly invitations: string[] = [];
  /** Titles of the proposals that led to a hire. */
  readonly hired: string[] = [];
  readonly #world: World;
  readonly #dice: Dice;
  readonly #followings: Followings;
  #proposals: { readonly id: number; readonly title: string }[] = [];

  constructor(world: World, dice: Dice, followings: Followings) {
    this.#world = world;
    this.#dice = dice;
    this.#followings = followings;
  }

  async step(): Promise<void> {
    const dice = this.#dice.share();
    if (dice < 0.4) this.#press();
    else if (dice < 0.45) await this.#mute();
    else if (dice < 0.7) this.#command();
    else if (dice < 0.78) this.#openHome();
    else if (dice < 0.88) this.#invite();
    else this.#movesOn();
    await this.#world.pass(this.#dice.pick([0, 0, SECOND, 4 * SECOND, 21 * SECOND]));
  }

  #pressOn(message: SlackMessage, user: string, words: string): boolean {
    const found = findPressable(message, words);
    if (!found) return false;
    const at = { message, user, actionId: found.actionId, blockId: found.blockId };
    const { slack } = this.#world;
    this.#dice.act(`${user} presses ${words} on ${message.ts}`, () =>
      found.kind === 'button'
        ? slack.press({ ...at, value: found.value, confirm: 'accept' })
        : slack.chooseOption({ ...at, option: found.option, confirm: 'accept' }),
    );
    return true;
  }

  /** Sometimes by two people at once. */
  #press(): void {
    const dice = this.#dice;
    const message = dice.any(this.#world.slack.messages(dice.pick(CHANNELS)).slice(-NEWEST));
    if (!message) return;
    const users = dice.share() < 0.2 ? PEOPLE : [dice.pick(PEOPLE)];
    const words = dice.pick(PRESSES);
    for (const user of users) this.#pressOn(message, user, words);
  }

  async #mute(): Promise<void> {
    const dice = this.#dice;
    const [channel, user] = [dice.pick(CHANNELS), dice.pick(PEOPLE)];
    const card = dice.any(this.#world.cards(channel).slice(-NEWEST));
    if (!card || !this.#pressOn(card, user, 'Mute')) return;
    await this.#world.pass(2 * SECOND);
    const window = this.#world.slack.view(user);
    const country = window && /Clients in ([^"]+)"/u.exec(JSON.stringify(window.blocks))?.[1];
    if (!country) return;
    dice.act(`${user} mutes ${country}`, () =>
      this.#world.slack.submitView({ user, values: { mute: 'country' } }),
    );
    this.#followings.noteMute(this.#world.slack.channel(channel).id, country);
    await this.#world.pass(2 * SECOND);
    this.#dice.act(`${user}: list`, () => this.#world.slack.runSlashCommand({ user, channel, text: 'list' }));
    await this.#world.pass(5 * SECOND);
    const list = this.#world.slack.ephemerals(user, channel).at(-1);
    if (list) this.#pressOn(list, user, 'Unmute');
  }

  #command(): void {
    const dice = this.#dice;
    const [user, channel, text] = [dice.pick(PEOPLE), dice.pick(CHANNELS), dice.pick(COMMANDS)];
    this.#dice.act(`${user} in ${channel}: ${text}`, () =>
      this.#world.slack.runSlashCommand({ user, channel, text }),
    );
  }

  #openHome(): void {
    const user = this.#dice.pick(PEOPLE);
    this.#dice.act(`${user} opens their Home`, () => this.#world.slack.openHome({ user }));
  }

  #invite(): void {
    const { marketplace } = this.#world;
    const number = this.invitations.length + 1;
    const project = this.#dice.any(marketplace.projects().slice(-NEWEST));
    const seed = { profileId: PROFILE, title: `Invitation ${number}` };
    const uid = project ? { jobPostingUid: project.uid } : {};
    const { invitationUid } = marketplace.addInvitation({ ...seed, ...uid });
    this.invitations.push(invitationUid);
    this.#dice.note(`${seed.title} comes`);
  }

  /** Sends a proposal, or has an earlier one viewed and hired. */
  #movesOn(): void {
    const { marketplace, clock } = this.#world;
    const before = this.#dice.share() < 0.5 ? this.#proposals.shift() : undefined;
    if (before) {
      marketplace.updateProposal(before.id, { isViewed: true, isInterviewed: true, isHired: true });
      this.hired.push(before.title);
      this.#dice.note(`${before.title} leads to a hire`);
      return;
    }
    const title = `Proposal ${marketplace.proposals().length}`;
    const nothingYet = { isViewed: false, isInterviewed: false, isHired: false };
    const { id } = marketplace.addProposal({
      profileId: PROFILE,
      organizationId: 7,
      jobTitle: title,
      submittedAt: clock.now(),
      ...nothingYet,
      isWithdrawn: false,
      boostOutbid: false,
    });
    this.#proposals.push({ id, title });
    this.#dice.note(`${title} is sent`);
  }
}
