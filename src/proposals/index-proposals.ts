/**
 * The index of searchable proposals: each has a slot, its folded text and its words. Pure except for its own
 * memory.
 */
import type { ProposalId } from '../ids.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { foldText, splitWords } from '../query/words.ts';
import { WordIndex, WordPairFilter } from './index-words.ts';

/** A word of the job title says more about the proposal than one of its cover letter. */
const TITLE_WEIGHT = 4;

export class ProposalIndex {
  readonly words = new WordIndex();
  readonly pairs = new WordPairFilter();
  /** `text`: folded UTF-8 outside V8's heap: half of a two-byte string, and no work for its collector. */
  readonly #indexed: ({ readonly facts: ProposalWithoutTexts; readonly text: Buffer } | undefined)[] = [];
  readonly #places = new Map<ProposalId, number>();
  readonly #free: number[] = [];
  #taken = new Uint8Array(64);
  /** 1 for each slot whose proposal got an answer that its letter may have won. */
  #answered = new Uint8Array(64);
  #newest: readonly number[] | undefined;

  get size(): number {
    return this.#places.size;
  }

  /** Slots range from 0 to below this; some may be empty. */
  get slotCount(): number {
    return this.#indexed.length;
  }

  /** A copy with 1 for each occupied slot. */
  occupiedSlots(): Uint8Array {
    return this.#taken.slice(0, this.slotCount);
  }

  /** Whether the slot's proposal got an interview or a hire, and didn't answer an invitation. */
  isAnswered(place: number): boolean {
    return this.#answered[place] === 1;
  }

  factsAt(place: number): ProposalWithoutTexts | undefined {
    return this.#indexed[place]?.facts;
  }

  /** Folded; used for phrases. */
  textAt(place: number): string {
    return this.#indexed[place]?.text.toString() ?? '';
  }

  /**
   * Adds or replaces a proposal. Mostly only its outcome has changed, which costs one folding.
   * @param written the result of `proposalText`.
   */
  put(facts: ProposalWithoutTexts, written: string): void {
    const text = foldText(written);
    const known = this.#places.get(facts.id);
    const before = known === undefined ? undefined : this.#indexed[known];
    const isSame = before?.facts.jobTitle === facts.jobTitle && before?.text.toString() === text;
    if (known !== undefined && before && isSame) {
      this.#indexed[known] = { facts, text: before.text };
      this.#answered[known] = wonAnswer(facts) ? 1 : 0;
      if (before.facts.submittedAt !== facts.submittedAt) this.#newest = undefined;
      return;
    }
    this.remove(facts.id);
    const place = this.#free.pop() ?? this.#indexed.length;
    const bytes = Buffer.from(text);
    this.#indexed[place] = { facts, text: bytes };
    this.#places.set(facts.id, place);
    this.#take(place);
    this.#answered[place] = wonAnswer(facts) ? 1 : 0;
    // Read back from the buffer: the folded string may use two bytes a character, and so would its words.
    const words = splitWords(bytes.toString());
    this.words.add(place, weighWords(facts, words));
    this.pairs.set(place, words);
    this.#newest = undefined;
  }

  remove(id: ProposalId): void {
    const place = this.#places.get(id);
    const known = place === undefined ? undefined : this.#indexed[place];
    if (place === undefined || !known) return;
    this.words.remove(place, splitWords(known.text.toString()));
    this.#indexed[place] = undefined;
    this.#taken[place] = 0;
    this.#answered[place] = 0;
    this.#places.delete(id);
    this.#free.push(place);
    this.#newest = undefined;
  }

  /** All occupied slots; proposals without a time come last. */
  slotsNewestFirst(): readonly number[] {
    this.#newest ??= this.#sortNewest();
    return this.#newest;
  }

  #take(place: number): void {
    if (place >= this.#taken.length) {
      this.#taken = enlarge(this.#taken, place * 2);
      this.#answered = enlarge(this.#answered, place * 2);
    }
    this.#taken[place] = 1;
  }

  #sortNewest(): readonly number[] {
    const submittedAt = new Float64Array(this.slotCount);
    const id = new Float64Array(this.slotCount);
    for (const [place, known] of this.#indexed.entries()) {
      submittedAt[place] = known?.facts.submittedAt ?? 0;
      id[place] = known?.facts.id ?? 0;
    }
    const time = (place: number) => submittedAt[place] ?? 0;
    return [...this.#places.values()].sort((a, b) => time(b) - time(a) || (id[b] ?? 0) - (id[a] ?? 0));
  }
}

function enlarge(flags: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(flags);
  return larger;
}

/** Whether a client answered. The marketplace shows no replies, only interviews and hires. */
export function wasAnswered({ interviewed, hired }: ProposalWithoutTexts): boolean {
  return interviewed || hired;
}

/** Answers to invitations didn't depend on the letter. */
function wonAnswer(facts: ProposalWithoutTexts): boolean {
  return wasAnswered(facts) && !facts.fromInvitation;
}

function weighWords({ jobTitle }: ProposalWithoutTexts, words: readonly string[]) {
  const weights = new Map<string, number>();
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
  for (const word of new Set(splitWords(foldText(jobTitle ?? ''))))
    weights.set(word, (weights.get(word) ?? 0) + TITLE_WEIGHT);
  return weights;
}
