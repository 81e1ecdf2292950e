/** Keeps in memory what each channel's team did with its latest projects, to compare new ones with. */
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import type { ReadTransaction, Store } from '../storage/store.ts';
import {
  type DecidedProject,
  type FitHistory,
  summarizeFitHistory,
  type WonProposal,
} from './fit-history.ts';
import { withFilterVerdict } from './merge-project.ts';
import { type Card, cards, seenProjectKey, seenProjects } from './records.ts';

/** What other features know of the team's work. */
export interface TeamRecord {
  /** Whether there is a known bid on the project. */
  hasBid(tx: ReadTransaction, project: ProjectKey): Promise<boolean>;
  /** Proposals that led to a hire, newest first. */
  listWonProposals(): readonly WonProposal[];
}

interface FitHistoriesContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Missing: only claims and skips count. */
  readonly teamRecord?: TeamRecord;
}

const CARDS_READ = 200;
/** Per transaction, so that other work isn't delayed. */
const PAGE = 50;
/** A team's taste changes slowly. */
const FRESH_FOR_MS = 5 * MINUTE;

export class FitHistories {
  readonly #context: FitHistoriesContext;
  readonly #byChannel = new Map<ChannelId, { readonly readAt: Instant; readonly history: FitHistory }>();

  constructor(context: FitHistoriesContext) {
    this.#context = context;
  }

  /** As of the last refresh; undefined before the first. */
  get(channel: ChannelId): FitHistory | undefined {
    return this.#byChannel.get(channel)?.history;
  }

  /** Reads the channels' histories again if they are older than some minutes. @throws StorageError */
  async refresh(channels: readonly ChannelId[]): Promise<void> {
    const { clock, teamRecord } = this.#context;
    const now = clock.now();
    const old = channels.filter((each) => !isRecent(this.#byChannel.get(each)?.readAt, FRESH_FOR_MS, now));
    if (old.length === 0) return;
    const won = teamRecord?.listWonProposals() ?? [];
    for (const channel of old) {
      const history = summarizeFitHistory(await this.#readDecided(channel), won);
      this.#byChannel.set(channel, { readAt: now, history });
    }
  }

  async #readDecided(channel: ChannelId): Promise<readonly DecidedProject[]> {
    const { store } = this.#context;
    const range = { index: 'byChannel', prefix: [channel] as const, reverse: true };
    const newest = await store.read((tx) => tx.list(cards, { ...range, limit: CARDS_READ }));
    const decided: DecidedProject[] = [];
    for (let from = 0; from < newest.length; from += PAGE) {
      const page = newest.slice(from, from + PAGE).map(({ value }) => value);
      await store.read(async (tx) => {
        for (const card of page) {
          const found = await this.#readOne(tx, card);
          if (found) decided.push(found);
        }
      });
    }
    return decided;
  }

  /** undefined: the team did nothing with it. */
  async #readOne(tx: ReadTransaction, card: Card): Promise<DecidedProject | undefined> {
    const { teamRecord } = this.#context;
    if (card.state !== 'posted') return undefined;
    const isTaken = card.claim !== undefined || ((await teamRecord?.hasBid(tx, card.project)) ?? false);
    if (!isTaken && !card.skip) return undefined;
    const seen = await tx.get(seenProjects, seenProjectKey(card.project));
    if (!seen) return undefined;
    const skipReason = isTaken ? undefined : card.skip?.reason;
    const project = withFilterVerdict(seen, card.filters);
    return { project, isTaken, skipReason };
  }
}
