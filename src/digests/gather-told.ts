/** What a channel was told in a stretch of time, as its posts have it: projects, invitations, outcomes, and that a feed failed. */
import { jobKey, jobs } from '../bidding/records.ts';
import type { Instant } from '../clock.ts';
import { type Card, cardKey, cards, projectRecordKey, seenProjects } from '../feed/records.ts';
import type { ChannelId, ProjectKey, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { known } from '../marketplace/wire-values.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import { Outcome } from '../outbox/outcome-news.ts';
import { type Notice, type Post, posts } from '../outbox/posts.ts';
import { WEIGHTS } from '../proposals/outcomes-posts.ts';
import type { ReadTransaction, Store } from '../storage/store.ts';
import { endedFailures, type FailureNotice } from './ended-failures.ts';
import type { DigestFacts } from './facts.ts';
import { isBidOn } from './is-bid-on.ts';
import { readPages, stretch } from './read-pages.ts';

export interface Stretch {
  readonly channel: ChannelId;
  readonly from: Instant;
  readonly to: Instant;
}

export interface ToldProject {
  readonly card: Card;
  readonly project: ListedProject;
  /** Somebody has bid on it, from here or elsewhere. */
  readonly isBidOn: boolean;
}

export interface Told {
  readonly projects: readonly ToldProject[];
  /** How many came. */
  readonly invitations: number;
  readonly outcomes: DigestFacts['outcomes'];
  /** Those that are over. */
  readonly failures: readonly FailureNotice[];
}

type OutcomeRow = DigestFacts['outcomes']['list'][number];

/** As many as the thread holds. */
const MOST_OUTCOMES = 90;

class Telling {
  readonly #team: TeamId;
  readonly projects: ToldProject[] = [];
  invitations = 0;
  readonly rows: OutcomeRow[] = [];
  readonly counts = new Map<Outcome, number>();
  readonly notices: Notice[] = [];

  constructor(team: TeamId) {
    this.#team = team;
  }

  #count(outcome: Outcome, count: number): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + count);
  }

  #addOutcomes(outcomes: readonly Outcome[], of: Omit<OutcomeRow, 'outcome'>): void {
    for (const outcome of outcomes) {
      this.#count(outcome, 1);
      this.rows.push({ outcome, ...of });
    }
  }

  async #addCard(tx: ReadTransaction, channel: ChannelId, key: ProjectKey): Promise<void> {
    const card = await tx.get(cards, cardKey(this.#team, channel, key));
    const seen = await tx.get(seenProjects, projectRecordKey(this.#team, key));
    if (!card || !seen) return;
    this.projects.push({ card, project: seen.project, isBidOn: await isBidOn(tx, this.#team, key) });
  }

  async #addBidNews(tx: ReadTransaction, news: BidNews): Promise<void> {
    if (news.about !== 'proposal-outcome') return;
    const title = (await tx.get(jobs, jobKey(this.#team, news.job)))?.title;
    this.#addOutcomes(news.outcomes, known({ title }));
  }

  /** Posts that tell nothing of the kind are passed over. */
  async add(tx: ReadTransaction, channel: ChannelId, { content }: Post): Promise<void> {
    if (content.kind === 'card') await this.#addCard(tx, channel, content.project);
    if (content.kind === 'invitation') this.invitations += 1;
    if (content.kind === 'bid-news') await this.#addBidNews(tx, content.news);
    if (content.kind === 'outcome') {
      const { outcomes, title, freelancer } = content.news;
      this.#addOutcomes(outcomes, known({ title, freelancer }));
    }
    if (content.kind === 'outcomes-rest')
      for (const { outcome, count } of content.rest.counts) this.#count(outcome, count);
    if (content.kind === 'notice') this.notices.push(content.notice);
  }
}

export async function gatherTold(
  { store, team }: { readonly store: Store; readonly team: TeamId },
  when: Stretch,
): Promise<Told> {
  const { channel } = when;
  const telling = new Telling(team);
  const range = { index: 'byChannel', prefix: [team, channel] as const, ...stretch(when) };
  await readPages(store, posts, range, async (tx, page) => {
    for (const post of page) await telling.add(tx, channel, post);
  });
  const counts = Outcome.options
    .map((outcome) => ({ outcome, count: telling.counts.get(outcome) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => WEIGHTS[b.outcome] - WEIGHTS[a.outcome]);
  // Stable: of the same weight, the newest first.
  const list = telling.rows
    .reverse()
    .sort((a, b) => WEIGHTS[b.outcome] - WEIGHTS[a.outcome])
    .slice(0, MOST_OUTCOMES);
  const { projects, invitations, notices } = telling;
  return { projects, invitations, outcomes: { counts, list }, failures: endedFailures(notices) };
}
