/**
 * The cover letters that were sent lately: bids of the team, and copies of proposals. Finds one that a new
 * letter nearly repeats. Reads nothing before it is asked, and compares in slices. How alike two are is the
 * share of three-word sequences that they have in common: names, greetings and single replaced words change
 * only the few sequences around them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { type Bid, bids, type SimilarLetter } from '../bidding/records.ts';
import { DAY, type Instant } from '../clock.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import { foldText, splitWords } from '../query/words.ts';
import { scanRecordsInPages } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import type { ProposalMirror } from './mirror.ts';

/** The rest of a longer letter is not compared. */
const LONGEST_TEXT = 20_000;
/** Words in a row. */
const RUN = 3;
/** Hashes kept of a letter: all of one with up to 400 words, an even sample of a longer one. */
const MOST_HASHES = 400;
/** In words: shorter letters are alike by chance. */
const SHORTEST_LETTER = 12;

/** Hashes of a letter's word sequences, ascending: the lowest ones. */
type LetterSketch = Uint32Array;

/** FNV-1a. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/** With a final mix, so that the lowest hashes are an even sample. */
function hashRun(words: readonly number[], from: number): number {
  let hash = 0;
  for (let at = from; at < from + RUN; at++)
    hash = Math.imul(hash ^ (words[at] ?? 0), 0x9e3779b1) + at - from;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** @returns undefined for a letter that is too short to compare */
export function sketchLetter(letter: string): LetterSketch | undefined {
  const words = splitWords(foldText(letter.slice(0, LONGEST_TEXT))).map(hashWord);
  if (words.length < SHORTEST_LETTER) return undefined;
  const hashes = new Set<number>();
  for (let at = 0; at + RUN <= words.length; at++) hashes.add(hashRun(words, at));
  return Uint32Array.from(hashes).sort().slice(0, MOST_HASHES);
}

/** From 0 (nothing in common) to 1: the Jaccard index, exact for letters of up to 400 words. */
export function compareLetters(one: LetterSketch, other: LetterSketch): number {
  const isWhole = one.length < MOST_HASHES && other.length < MOST_HASHES;
  const most = isWhole ? one.length + other.length : MOST_HASHES;
  let [a, b, shared, seen] = [0, 0, 0, 0];
  // Both are samples of the lowest hashes, so only the lowest of their union can be judged.
  for (; seen < most && (a < one.length || b < other.length); seen++) {
    const left = one[a] ?? Number.POSITIVE_INFINITY;
    const right = other[b] ?? Number.POSITIVE_INFINITY;
    if (left === right) shared++;
    if (left <= right) a++;
    if (right <= left) b++;
  }
  return seen === 0 ? 0 : shared / seen;
}

/** From this on, letters count as nearly equal. Measured: docs/decisions/0005-bids.md. */
export const NEARLY_EQUAL = 0.6;

/** A letter that is about to be sent. */
export interface NewLetter {
  readonly letter: string;
  readonly channel: ChannelId;
  readonly project: ProjectKey;
  readonly marketplaceJobId: string;
  readonly title: string;
}

export interface SentLettersContext extends Pick<Workspace, 'store' | 'clock'> {
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
      const wasNeverSent = bid.state === 'refused' && bid.doubtSince === undefined;
      if (wasNeverSent || isSameProject(bid, letter)) continue;
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
