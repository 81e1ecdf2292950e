/**
 * The cover letters that were sent lately: bids of the team, and copies of proposals. Finds one that a new
 * letter nearly repeats. Reads nothing before it is asked, and compares in slices.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { compareLetters, type LetterSketch, NEARLY_EQUAL, sketchLetter } from '../bidding/letter-likeness.ts';
import { type Bid, bids, type SimilarLetter } from '../bidding/records.ts';
import { type Clock, DAY, type Instant } from '../clock.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import { foldText } from '../query/words.ts';
import { type Store, scanRecordsInPages } from '../storage/store.ts';
import type { ProposalMirror } from './mirror.ts';

/** A letter that is about to be sent. */
export interface NewLetter {
  readonly letter: string;
  readonly channel: ChannelId;
  readonly project: ProjectKey;
  readonly marketplaceJobId: string;
  readonly title: string;
}

export interface SentLettersContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly mirror: Pick<ProposalMirror, 'listNewestFirst' | 'get'>;
}

const REMEMBERED_MS = 30 * DAY;
/** Of each source, newest first: far more than a team sends in 30 days. */
const MOST_LETTERS = 3_000;
/** Letters read or compared between two yields to other work: a few milliseconds. */
const SLICE = 20;

/** Missing sketch: the letter is too short, or it left the letter to its template. */
type Sketches = Map<string, LetterSketch | undefined>;

/** @param name of the letter, for the next search */
type Compare = (
  name: string,
  read: () => string,
  about: { readonly at: Instant; readonly title?: string | undefined },
) => Promise<void>;

function isSameProject(bid: Bid, { project, marketplaceJobId, title }: NewLetter): boolean {
  return (
    bid.project === project ||
    removeJobIdTilde(bid.request.marketplaceJobId) === removeJobIdTilde(marketplaceJobId) ||
    foldText(bid.title) === foldText(title)
  );
}

/** Whether the letter went out, or may have. */
function wasSent({ state, doubtSince }: Bid): boolean {
  return state !== 'refused' || doubtSince !== undefined;
}

export function createSentLetters({ store, clock, mirror }: SentLettersContext) {
  /** Of the last search, so that each letter is sketched once. */
  let sketches: Sketches = new Map();

  async function compareWithBids(compare: Compare, letter: NewLetter, from: Instant): Promise<void> {
    const sent: Bid[] = [];
    const range = { index: 'byAge', from: [from], reverse: true } as const;
    await scanRecordsInPages(store, bids, range, async (_, values) => {
      if (sent.length < MOST_LETTERS) sent.push(...values.filter((bid) => bid.request.coverLetter));
    });
    for (const bid of sent) {
      if (!wasSent(bid) || isSameProject(bid, letter)) continue;
      // Titles of other channels' projects may not be for everyone here.
      const title = bid.channel === letter.channel ? bid.title : undefined;
      const name = `bid ${bid.id} ${bid.attempt}`;
      await compare(name, () => bid.request.coverLetter ?? '', { at: bid.at, title });
    }
  }

  async function compareWithProposals(compare: Compare, letter: NewLetter, from: Instant): Promise<void> {
    const title = foldText(letter.title);
    let read = 0;
    for (const { id, submittedAt, jobTitle } of mirror.listNewestFirst()) {
      if (read++ >= MOST_LETTERS || (submittedAt !== undefined && submittedAt < from)) return;
      // A proposal doesn't name its project: one with the same title counts as the same.
      if (submittedAt === undefined || foldText(jobTitle ?? '') === title) continue;
      const letterOf = () => mirror.get(id)?.coverLetter ?? '';
      await compare(`proposal ${id}`, letterOf, { at: submittedAt, title: jobTitle });
    }
  }

  return {
    /** The most similar letter to another project within 30 days, if nearly equal. */
    async findNearlyEqual(letter: NewLetter): Promise<SimilarLetter | undefined> {
      const sketch = sketchLetter(letter.letter);
      if (!sketch) return undefined;
      const from = clock.now() - REMEMBERED_MS;
      const now: Sketches = new Map();
      const before = sketches;
      let best: SimilarLetter | undefined;
      const compare: Compare = async (name, read, { at, title }) => {
        const other = before.has(name) ? before.get(name) : sketchLetter(read());
        now.set(name, other);
        const share = other ? compareLetters(sketch, other) : 0;
        const percent = Math.floor(share * 100);
        if (share >= NEARLY_EQUAL && percent > (best?.percent ?? 0)) best = { percent, at, title };
        if (now.size % SLICE === 0) await nextTurn();
      };
      await compareWithBids(compare, letter, from);
      await compareWithProposals(compare, letter, from);
      sketches = now;
      return best;
    },
  };
}
