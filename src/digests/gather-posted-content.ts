/** What a channel got within a time range, read from its posts: projects, invitations, outcomes, failures. */
import { hasBidOnProject } from '../bidding/project-bidding.ts';
import { jobs } from '../bidding/records.ts';
import { HOUR } from '../clock.ts';
import { type Card, cards, seenProjects } from '../feed/records.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { type BidNews, type OutcomeList, ProposalOutcome } from '../outbox/news.ts';
import { type ChannelNotice, type Post, posts } from '../outbox/posts.ts';
import { OUTCOME_WEIGHTS } from '../proposals/outcomes.ts';
import { type ReadTransaction, type Store, scanRecordsInPages } from '../storage/store.ts';
import type { ChannelTimeRange, DigestFacts } from './facts.ts';
import { findRecoveredFailureNotices } from './list-feed-problems.ts';

export interface PostedProject {
  readonly card: Card;
  readonly project: ListedProject;
  /** In Gigdesk or elsewhere. */
  readonly isBidOn: boolean;
}

type OutcomeRow = DigestFacts['outcomes']['list'][number];

/** A list of outcomes that began this long before the range may have grown in it. */
const LIST_GROWS_MS = 12 * HOUR;
/** As many as the thread fits. */
const MOST_OUTCOMES = 90;

class DeliveredTally {
  readonly #when: ChannelTimeRange;
  /** `17:hired`: a hire may be in a thread and a message, or in several channels' threads. */
  readonly #counted = new Set<string>();
  readonly projects: PostedProject[] = [];
  invitations = 0;
  readonly rows: OutcomeRow[] = [];
  readonly counts = new Map<ProposalOutcome, number>();
  readonly notices: ChannelNotice[] = [];

  constructor(when: ChannelTimeRange) {
    this.#when = when;
  }

  #count(outcome: ProposalOutcome, count: number): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + count);
  }

  #addOutcomes(
    proposal: number,
    outcomes: readonly ProposalOutcome[],
    of: Omit<OutcomeRow, 'outcome'>,
  ): void {
    for (const outcome of outcomes) {
      const name = `${proposal}:${outcome}`;
      if (this.#counted.has(name)) continue;
      this.#counted.add(name);
      this.#count(outcome, 1);
      this.rows.push({ outcome, ...of });
    }
  }

  async #addCard(tx: ReadTransaction, channel: ChannelId, key: ProjectKey): Promise<void> {
    const card = await tx.get(cards, [channel, key]);
    const seen = await tx.get(seenProjects, [key]);
    if (!card || !seen) return;
    this.projects.push({ card, project: seen.project, isBidOn: await hasBidOnProject(tx, key) });
  }

  async #addBidNews(tx: ReadTransaction, news: BidNews): Promise<void> {
    if (news.about !== 'proposal-outcome') return;
    const title = (await tx.get(jobs, [news.job]))?.title;
    this.#addOutcomes(news.proposal, news.outcomes, { title });
  }

  /** A list may have begun before the range, and may have grown after it. */
  #addList({ entries, rest }: OutcomeList, enqueuedAt: number): void {
    const isWithin = (at: number) => this.#when.from <= at && at < this.#when.to;
    for (const { at, news } of entries)
      if (isWithin(at)) {
        const { proposal, outcomes, title, freelancer } = news;
        this.#addOutcomes(proposal, outcomes, { title, freelancer });
      }
    if (isWithin(enqueuedAt))
      for (const { outcome, count } of rest?.counts ?? []) this.#count(outcome, count);
  }

  /** Ignores other kinds of posts. */
  async add(tx: ReadTransaction, channel: ChannelId, { content, enqueuedAt }: Post): Promise<void> {
    if (content.kind === 'outcome-list') return this.#addList(content.list, enqueuedAt);
    if (enqueuedAt < this.#when.from) return;
    if (content.kind === 'card') await this.#addCard(tx, channel, content.project);
    if (content.kind === 'invitation') this.invitations += 1;
    if (content.kind === 'bid-news') await this.#addBidNews(tx, content.news);
    if (content.kind === 'outcome') {
      const { proposal, outcomes, title, freelancer } = content.news;
      this.#addOutcomes(proposal, outcomes, { title, freelancer });
    }
    if (content.kind === 'outcomes-rest')
      for (const { outcome, count } of content.rest.counts) this.#count(outcome, count);
    if (content.kind === 'notice') this.notices.push(content.notice);
  }
}

export async function gatherPostedContent({ store }: { readonly store: Store }, when: ChannelTimeRange) {
  const { channel } = when;
  const telling = new DeliveredTally(when);
  const range = {
    index: 'byChannel',
    prefix: [channel] as const,
    from: [when.from - LIST_GROWS_MS],
    to: [when.to],
  };
  await scanRecordsInPages(store, posts, range, async (tx, page) => {
    for (const post of page) await telling.add(tx, channel, post);
  });
  const counts = ProposalOutcome.options
    .map((outcome) => ({ outcome, count: telling.counts.get(outcome) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => OUTCOME_WEIGHTS[b.outcome] - OUTCOME_WEIGHTS[a.outcome]);
  // The sort is stable: the newest stay first within the same weight.
  const list = telling.rows
    .reverse()
    .sort((a, b) => OUTCOME_WEIGHTS[b.outcome] - OUTCOME_WEIGHTS[a.outcome])
    .slice(0, MOST_OUTCOMES);
  const { projects, invitations, notices } = telling;
  const failures = findRecoveredFailureNotices(notices);
  return { projects, invitations, outcomes: { counts, list }, failures };
}
