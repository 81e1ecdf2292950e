/** The proposals that can be searched: each at a place, with its text folded and its words indexed. Pure but for its own memory. */
import type { ProposalId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { splitWords } from '../query/find-words.ts';
import { fold } from '../query/fold.ts';
import { proposalText } from '../query/proposal-search.ts';
import { PairFilter } from './index-pairs.ts';
import { WordIndex } from './index-words.ts';

export interface Indexed {
  readonly proposal: Proposal;
  /** Folded; phrases are looked for in it. */
  readonly text: string;
}

/** A word of the job's title says more of the proposal than one of its letter. */
const TITLE_WEIGHT = 4;

export class ProposalIndex {
  readonly words = new WordIndex();
  readonly pairs = new PairFilter();
  readonly #indexed: (Indexed | undefined)[] = [];
  readonly #places = new Map<ProposalId, number>();
  readonly #free: number[] = [];
  #taken = new Uint8Array(64);
  #newest: readonly number[] | undefined;

  get size(): number {
    return this.#places.size;
  }

  /** Places reach from 0 to below this; some may be empty. */
  get places(): number {
    return this.#indexed.length;
  }

  /** For each place 1 where it is taken: a copy. */
  taken(): Uint8Array {
    return this.#taken.slice(0, this.places);
  }

  at(place: number): Indexed | undefined {
    return this.#indexed[place];
  }

  ids(): Iterable<ProposalId> {
    return this.#places.keys();
  }

  has(id: ProposalId): boolean {
    return this.#places.has(id);
  }

  /** Puts a proposal in, or in the place of what was known of it. Mostly only its outcome has changed, which costs nothing. */
  put(proposal: Proposal): void {
    const known = this.#places.get(proposal.id);
    const before = known === undefined ? undefined : this.#indexed[known];
    if (known !== undefined && before && proposalText(before.proposal) === proposalText(proposal)) {
      this.#indexed[known] = { proposal, text: before.text };
      if (before.proposal.submittedAt !== proposal.submittedAt) this.#newest = undefined;
      return;
    }
    this.remove(proposal.id);
    const place = this.#free.pop() ?? this.#indexed.length;
    const text = compact(fold(proposalText(proposal)));
    this.#indexed[place] = { proposal, text };
    this.#places.set(proposal.id, place);
    this.#take(place);
    const words = splitWords(text);
    this.words.add(place, weighWords(proposal, words));
    this.pairs.set(place, words);
    this.#newest = undefined;
  }

  remove(id: ProposalId): void {
    const place = this.#places.get(id);
    const known = place === undefined ? undefined : this.#indexed[place];
    if (place === undefined || !known) return;
    this.words.remove(place, splitWords(known.text));
    this.#indexed[place] = undefined;
    this.#taken[place] = 0;
    this.#places.delete(id);
    this.#free.push(place);
    this.#newest = undefined;
  }

  /** All places that are taken; what has no time comes last. */
  newestFirst(): readonly number[] {
    this.#newest ??= this.#sortNewest();
    return this.#newest;
  }

  #take(place: number): void {
    if (place >= this.#taken.length) {
      const larger = new Uint8Array(place * 2);
      larger.set(this.#taken);
      this.#taken = larger;
    }
    this.#taken[place] = 1;
  }

  #sortNewest(): readonly number[] {
    const { submittedAt, id } = this.#readTimes();
    const time = (place: number) => submittedAt[place] ?? 0;
    return [...this.#places.values()].sort((a, b) => time(b) - time(a) || (id[b] ?? 0) - (id[a] ?? 0));
  }

  #readTimes(): { readonly submittedAt: Float64Array; readonly id: Float64Array } {
    const submittedAt = new Float64Array(this.places);
    const id = new Float64Array(this.places);
    for (const [place, known] of this.#indexed.entries()) {
      submittedAt[place] = known?.proposal.submittedAt ?? 0;
      id[place] = known?.proposal.id ?? 0;
    }
    return { submittedAt, id };
  }
}

/** Half as large and quickly searched, where no character needs two bytes; what was cut out of a text may still take two. */
function compact(text: string): string {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
}

function weighWords({ jobTitle }: Proposal, words: readonly string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
  for (const word of new Set(splitWords(fold(jobTitle ?? ''))))
    weights.set(word, (weights.get(word) ?? 0) + TITLE_WEIGHT);
  return weights;
}
