/** What the feed tells about the projects it finds, for people who follow some of them. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { SeenProject } from './records.ts';

export interface FoundForChannels {
  readonly project: ProjectKey;
  readonly filter: FilterId;
  /** Where it was found, whether or not the channel's rules let it through. */
  readonly channels: readonly ChannelId[];
  readonly at: Instant;
  /** Rules made later don't count. */
  readonly since: Instant;
}

interface CardForFollowers {
  readonly channel: ChannelId;
  readonly filters: readonly FilterId[];
  readonly seen: SeenProject;
  /** The channel's own rules mention them already. */
  readonly mentioned: readonly UserId[];
  readonly at: Instant;
}

/** The people with rules, as they are while a page is stored. */
export interface PageFollowers {
  /** Stores that a filter found a project. Who is interested is decided after the page is stored. */
  noteFound(tx: Transaction, found: FoundForChannels): Promise<void>;
  /** Stores that these people get the project by a mention on this card. */
  claimMentions(tx: Transaction, card: CardForFollowers): Promise<readonly UserId[]>;
}

export interface CardFollowers {
  /** @returns undefined if nobody follows anything */
  openPage(tx: ReadTransaction): Promise<PageFollowers | undefined>;
  /** The card is listed in a summary, which mentions no followers: these people get a message instead. */
  releaseMentions(
    tx: Transaction,
    card: { readonly channel: ChannelId; readonly project: ProjectKey; readonly users: readonly UserId[] },
    at: Instant,
  ): Promise<void>;
}
