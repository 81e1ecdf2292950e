/** The proposals in memory: by id, by uid, by profile, and newest first. */
import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';
import type { Instant } from '../clock.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal, ProposalFacts, ProposalLetter } from '../marketplace/schema.ts';
import { JsonPacker, type PackedJson } from '../storage/packed-json.ts';
import { comparePlaces, type Place, placeOf } from './mirror-places.ts';

/** Required, not imported: bundlers and Node disagree on what the default of a CommonJS module is. */
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as {
  default: typeof sortedBtree.default;
};

export interface Held {
  readonly proposal: Proposal;
  /** When it was asked for: an answer to an older question changes nothing. */
  readonly at: Instant;
  /** The profiles in whose lists it stands, each with the shelf on which it is kept. */
  readonly shelves: ReadonlyMap<ProfileId, string>;
}

/** As it is kept here: its letter, which is long and rarely read, is packed. */
interface Kept extends Omit<Held, 'proposal'> {
  readonly facts: ProposalFacts;
  readonly letter: PackedJson;
}

export class MirrorMemory {
  readonly #packer = new JsonPacker();
  readonly #kept = new Map<ProposalId, Kept>();
  readonly #ids = new Map<string, ProposalId>();
  readonly #byProfile = new Map<ProfileId, Set<ProposalId>>();
  readonly #order = new BTree<Place, ProposalFacts>(undefined, (a, b) => comparePlaces(b, a));

  get size(): number {
    return this.#kept.size;
  }

  /** Unpacks its letter. */
  get(id: ProposalId): Held | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    const { facts, letter, at, shelves } = kept;
    return { proposal: { ...facts, ...readLetter(letter) }, at, shelves };
  }

  factsOf(id: ProposalId): ProposalFacts | undefined {
    return this.#kept.get(id)?.facts;
  }

  byUid(uid: string): Proposal | undefined {
    const id = this.#ids.get(uid);
    return id === undefined ? undefined : this.get(id)?.proposal;
  }

  /** Newest first. A copy that costs nothing: it shares with the original what does not change. */
  newest(): Iterable<ProposalFacts> {
    return this.#order.clone().values();
  }

  heldBy(profile: ProfileId): number {
    return this.#byProfile.get(profile)?.size ?? 0;
  }

  isHeldBy(profile: ProfileId, id: ProposalId): boolean {
    return this.#byProfile.get(profile)?.has(id) ?? false;
  }

  profiles(): ProfileId[] {
    return [...this.#byProfile.keys()];
  }

  put(held: Held): void {
    const { proposal, at, shelves } = held;
    const { coverLetter, answers, ...facts } = proposal;
    const before = this.#kept.get(facts.id);
    if (before) this.#takeOut(before);
    const letter = this.#pack({ coverLetter, answers }, before);
    this.#kept.set(facts.id, { facts, letter, at, shelves });
    this.#order.set(placeOf(facts), facts);
    if (facts.applicationUid !== undefined) this.#ids.set(facts.applicationUid, facts.id);
    for (const profile of shelves.keys()) {
      const ids = this.#byProfile.get(profile) ?? new Set();
      this.#byProfile.set(profile, ids.add(facts.id));
    }
  }

  /** On which shelves a profile's proposals are kept. */
  shelvesOf(profile: ProfileId): string[] {
    const shelves = new Set<string>();
    for (const id of this.#byProfile.get(profile) ?? []) {
      const shelf = this.#kept.get(id)?.shelves.get(profile);
      if (shelf !== undefined) shelves.add(shelf);
    }
    return [...shelves];
  }

  /** Forgets what stands in a profile's list. @returns the proposals that stand in no other. */
  drop(profile: ProfileId): ProposalFacts[] {
    const forgotten: ProposalFacts[] = [];
    for (const id of this.#byProfile.get(profile) ?? []) {
      const kept = this.#kept.get(id);
      if (!kept) continue;
      const shelves = new Map(kept.shelves);
      shelves.delete(profile);
      if (shelves.size > 0) {
        this.#kept.set(id, { ...kept, shelves });
      } else {
        this.#takeOut(kept);
        kept.letter.release();
        this.#kept.delete(id);
        forgotten.push(kept.facts);
      }
    }
    this.#byProfile.delete(profile);
    return forgotten;
  }

  #takeOut({ facts }: Kept): void {
    this.#order.delete(placeOf(facts));
    const { applicationUid } = facts;
    if (applicationUid !== undefined && this.#ids.get(applicationUid) === facts.id)
      this.#ids.delete(applicationUid);
  }

  /** Mostly only an outcome has changed: what is packed already stays where it is. */
  #pack(letter: ProposalLetter, before: Kept | undefined): PackedJson {
    const json = JSON.stringify(letter);
    if (before?.letter.read() === json) return before.letter;
    before?.letter.release();
    return this.#packer.pack(json);
  }
}

function readLetter(letter: PackedJson): ProposalLetter {
  return JSON.parse(letter.read());
}
