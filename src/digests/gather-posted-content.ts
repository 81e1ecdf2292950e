/** What a channel got within a time range, read from its posts: projects, invitations, outcomes, failures. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { hasBidOnProject } from '../bidding/project-bidding.ts';
import { jobKey, jobs } from '../bidding/records.ts';
import { type Card, cardKey, cards, seenProjectKey, seenProjects } from '../feed/records.ts';
import type { ChannelId, ProjectKey, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { type BidNews, ProposalOutcome } from '../outbox/news.ts';
import { type ChannelNotice, type Post, posts } from '../outbox/posts.ts';
import { OUTCOME_WEIGHTS } from '../proposals/outcomes.ts';
import { type ReadTransaction, type Store, scanRecordsInPages } from '../storage/store.ts';
import type { ChannelTimeRange, DigestFacts } from './facts.ts';
import { type FailureNotice, findRecoveredFailureNotices } from './list-feed-problems.ts';

export interface PostedProject {
  readonly card: Card;
  readonly project: ListedProject;
  /** In Gigdesk or elsewhere. */
  readonly isBidOn: boolean;
}

export interface PostedContent {
  readonly projects: readonly PostedProject[];
  /** How many were posted. */
  readonly invitations: number;
  readonly outcomes: DigestFacts['outcomes'];
  /** Failures that are over. */
  readonly failures: readonly FailureNotice[];
}

type OutcomeRow = DigestFacts['outcomes']['list'][number];

/** As many as the thread fits. */
const MOST_OUTCOMES = 90;

class DeliveredTally {
  readonly #team: TeamId;
  readonly projects: PostedProject[] = [];
  invitations = 0;
  readonly rows: OutcomeRow[] = [];
  readonly counts = new Map<ProposalOutcome, number>();
  readonly notices: ChannelNotice[] = [];

  constructor(team: TeamId) {
    this.#team = team;
  }

  #count(outcome: ProposalOutcome, count: number): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + count);
  }

  #addOutcomes(outcomes: readonly ProposalOutcome[], of: Omit<OutcomeRow, 'outcome'>): void {
    for (const outcome of outcomes) {
      this.#count(outcome, 1);
      this.rows.push({ outcome, ...of });
    }
  }

  async #addCard(tx: ReadTransaction, channel: ChannelId, key: ProjectKey): Promise<void> {
    const card = await tx.get(cards, cardKey(this.#team, channel, key));
    const seen = await tx.get(seenProjects, seenProjectKey(this.#team, key));
    if (!card || !seen) return;
    this.projects.push({ card, project: seen.project, isBidOn: await hasBidOnProject(tx, this.#team, key) });
  }

  async #addBidNews(tx: ReadTransaction, news: BidNews): Promise<void> {
    if (news.about !== 'proposal-outcome') return;
    const title = (await tx.get(jobs, jobKey(this.#team, news.job)))?.title;
    this.#addOutcomes(news.outcomes, omitUndefined({ title }));
  }

  /** Ignores other kinds of posts. */
  async add(tx: ReadTransaction, channel: ChannelId, { content }: Post): Promise<void> {
    if (content.kind === 'card') await this.#addCard(tx, channel, content.project);
    if (content.kind === 'invitation') this.invitations += 1;
    if (content.kind === 'bid-news') await this.#addBidNews(tx, content.news);
    if (content.kind === 'outcome') {
      const { outcomes, title, freelancer } = content.news;
      this.#addOutcomes(outcomes, omitUndefined({ title, freelancer }));
    }
    if (content.kind === 'outcomes-rest')
      for (const { outcome, count } of content.rest.counts) this.#count(outcome, count);
    if (content.kind === 'notice') this.notices.push(content.notice);
  }
}

export async function gatherPostedContent(
  { store, team }: { readonly store: Store; readonly team: TeamId },
  when: ChannelTimeRange,
): Promise<PostedContent> {
  const { channel } = when;
  const telling = new DeliveredTally(team);
  const range = { index: 'byChannel', prefix: [team, channel] as const, from: [when.from], to: [when.to] };
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
  return {
    projects,
    invitations,
    outcomes: { counts, list },
    failures: findRecoveredFailureNotices(notices),
  };
}
