/** What each channel's team did with its latest projects, and which of them a new project is like. */

import { type Instant, isRecent, MINUTE } from '../clock.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { budgetType, largestBudget } from '../query/project-rules.ts';
import { foldText, UNSPACED } from '../query/words.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { withFilterVerdict } from './merge-project.ts';
import { type Card, cards, type SkipReason, seenProjects } from './records.ts';

type BudgetType = 'fixed' | 'hourly';

export interface DecidedProject {
  readonly project: ListedProject;
  /** Claimed, or bid on. */
  readonly isTaken: boolean;
  readonly skipReason?: SkipReason;
}

/** What a proposal that led to a hire says of its project: the API gives no skills. */
export interface WonProposal {
  readonly title: string;
  readonly occupation?: string;
}

export interface FitHistory {
  /** In US dollars: the middle of what the team took; missing without enough of them. */
  readonly usualBudget: Readonly<Partial<Record<BudgetType, number>>>;
  readonly decided: readonly (Omit<DecidedProject, 'project'> & {
    readonly skills: ReadonlySet<string>;
    readonly client?: string;
  })[];
  /** The folded words of each won proposal's title and occupation, with a space at both ends. */
  readonly won: readonly string[];
}

/** A middle of fewer means nothing. */
const ENOUGH_BUDGETS = 3;

function middleOf(amounts: readonly number[]): number | undefined {
  if (amounts.length < ENOUGH_BUDGETS) return undefined;
  return amounts.toSorted((a, b) => a - b)[Math.floor(amounts.length / 2)];
}

function foldSkills({ skills }: ListedProject): ReadonlySet<string> {
  return new Set(skills.map(foldText).filter((skill) => skill !== ''));
}

/**
 * Lists contain no id of the client. A record of hires identifies one: two clients hardly have the same
 * country, hires, spending and reviews.
 * @returns undefined for clients without enough of a record
 */
export function identifyClientByRecord({ client }: Pick<ListedProject, 'client'>): string | undefined {
  const { country, totalSpent, totalHires, reviews } = client;
  if (country === undefined || !totalSpent || !totalHires || reviews === undefined) return undefined;
  return [foldText(country), totalSpent, totalHires, reviews].join('|');
}

const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');

/** A word such as `.NET` or `C++` keeps its signs: the words of a title are compared as a whole. */
function phraseOf(text: string): string {
  return ` ${foldText(text)
    .replace(EACH_UNSPACED, ' $& ')
    .replace(/[^\p{L}\p{N}\p{M}+#.]+/gu, ' ')
    .trim()} `;
}

/** @param decided the newest first */
export function summarizeFitHistory(
  decided: readonly DecidedProject[],
  won: readonly WonProposal[],
): FitHistory {
  const taken = decided.filter(({ isTaken }) => isTaken).map(({ project }) => project);
  const amounts = (type: BudgetType) =>
    taken.flatMap(({ budget }) => {
      const amount = budgetType(budget) === type ? largestBudget(budget) : undefined;
      return amount ? [amount] : [];
    });
  return {
    usualBudget: { fixed: middleOf(amounts('fixed')), hourly: middleOf(amounts('hourly')) },
    decided: decided.map(({ project, ...rest }) => ({
      ...rest,
      skills: foldSkills(project),
      client: identifyClientByRecord(project),
    })),
    won: won.map(({ title, occupation }) => phraseOf(`${title} ${occupation ?? ''}`)),
  };
}

/** Most of the shorter list of skills, and at least 2 unless one of them has only 1. */
function areSkillsSimilar(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shorter = Math.min(one.size, other.size);
  if (shorter === 0) return false;
  let shared = 0;
  for (const skill of one) if (other.has(skill)) shared += 1;
  return shared >= Math.min(2, shorter) && shared >= shorter / 2;
}

/** Whether the title of a won proposal names the project's skills. */
function isLikeWon(skills: ReadonlySet<string>, title: string): boolean {
  const named = [...skills].filter((skill) => title.includes(phraseOf(skill))).length;
  return named >= Math.min(2, Math.max(1, skills.size));
}

/** How many of the earlier projects are like this one, by skills and by client. */
export function compareWithHistory(project: ListedProject, history: FitHistory) {
  const skills = foldSkills(project);
  const client = identifyClientByRecord(project);
  const similar = history.decided.filter((it) => areSkillsSimilar(skills, it.skills));
  const clients = history.decided.filter((it) => client !== undefined && it.client === client);
  return {
    won: history.won.filter((title) => isLikeWon(skills, title)).length,
    taken: similar.filter(({ isTaken }) => isTaken).length,
    /** As not a fit: the other reasons say nothing of the kind of work. */
    skipped: similar.filter(({ skipReason }) => skipReason === 'not-a-fit').length,
    clientTaken: clients.filter(({ isTaken }) => isTaken).length,
    clientSkipped: clients.filter(({ skipReason }) => skipReason === 'client').length,
  };
}

/** What other features know of the team's work. */
export interface TeamRecord {
  /** Whether there is a known bid on the project. */
  hasBid(tx: ReadTransaction, project: ProjectKey): Promise<boolean>;
  /** Proposals that led to a hire, newest first. */
  listWonProposals(): readonly WonProposal[];
}

const CARDS_READ = 200;
/** Per transaction, so that other work isn't delayed. */
const PAGE = 50;
/** A team's taste changes slowly. */
const FRESH_FOR_MS = 5 * MINUTE;

interface HistoriesContext extends Pick<Workspace, 'store' | 'clock'> {
  readonly teamRecord?: TeamRecord;
}

export class FitHistories {
  readonly #context: HistoriesContext;
  readonly #byChannel = new Map<ChannelId, { readonly readAt: Instant; readonly history: FitHistory }>();

  constructor(context: HistoriesContext) {
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
    const seen = await tx.get(seenProjects, [card.project]);
    if (!seen) return undefined;
    const skipReason = isTaken ? undefined : card.skip?.reason;
    return { project: withFilterVerdict(seen, card.filters), isTaken, skipReason };
  }
}
