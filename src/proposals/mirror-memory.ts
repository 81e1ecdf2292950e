/** The proposals in memory: by id, by uid, by profile, and newest first. */

import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';
import type { Instant } from '../clock.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal, ProposalTexts, ProposalWithoutTexts } from '../marketplace/schema.ts';
import { JsonPacker, type PackedJson } from '../storage/packed-json.ts';
import { compareProposalSortKeys, type ProposalSortKey, toProposalSortKey } from './copy-plan.ts';

/** Required, not imported: bundlers and Node disagree about the default export of a CommonJS module. */
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as {
  default: typeof sortedBtree.default;
};

export interface MirroredProposal {
  readonly proposal: Proposal;
  /** When it was requested: the answer to an older request changes nothing. */
  readonly at: Instant;
  /** The profiles whose lists include it, each with the cache file that stores it. */
  readonly shelves: ReadonlyMap<ProfileId, string>;
}

/** The stored form: its cover letter, which is long and rarely read, is packed. */
interface PackedProposal extends Omit<MirroredProposal, 'proposal'> {
  readonly facts: ProposalWithoutTexts;
  readonly letter: PackedJson;
}

export class MirrorMemory {
  readonly #packer = new JsonPacker();
  readonly #kept = new Map<ProposalId, PackedProposal>();
  readonly #ids = new Map<string, ProposalId>();
  readonly #byProfile = new Map<ProfileId, Set<ProposalId>>();
  readonly #order = new BTree<ProposalSortKey, ProposalWithoutTexts>(undefined, (a, b) =>
    compareProposalSortKeys(b, a),
  );

  get size(): number {
    return this.#kept.size;
  }

  get(id: ProposalId): MirroredProposal | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    const { facts, letter, at, shelves } = kept;
    const texts: ProposalTexts = JSON.parse(letter.read());
    return { proposal: { ...facts, ...texts }, at, shelves };
  }

  getFacts(id: ProposalId): ProposalWithoutTexts | undefined {
    return this.#kept.get(id)?.facts;
  }

  getByApplicationUid(uid: string): Proposal | undefined {
    const id = this.#ids.get(uid);
    return id === undefined ? undefined : this.get(id)?.proposal;
  }

  /** Newest first. A cheap copy: it shares unchanged data with the original. */
  listNewestFirst(): Iterable<ProposalWithoutTexts> {
    return this.#order.clone().values();
  }

  countInProfile(profile: ProfileId): number {
    return this.#byProfile.get(profile)?.size ?? 0;
  }

  isInProfile(profile: ProfileId, id: ProposalId): boolean {
    return this.#byProfile.get(profile)?.has(id) ?? false;
  }

  listProfiles(): ProfileId[] {
    return [...this.#byProfile.keys()];
  }

  put(held: MirroredProposal): void {
    const { proposal, at, shelves } = held;
    const { coverLetter, answers, ...facts } = proposal;
    const before = this.#kept.get(facts.id);
    if (before) this.#takeOut(before);
    const letter = this.#pack({ coverLetter, answers }, before);
    this.#kept.set(facts.id, { facts, letter, at, shelves });
    this.#order.set(toProposalSortKey(facts), facts);
    if (facts.applicationUid !== undefined) this.#ids.set(facts.applicationUid, facts.id);
    for (const profile of shelves.keys()) {
      const ids = this.#byProfile.get(profile) ?? new Set();
      this.#byProfile.set(profile, ids.add(facts.id));
    }
  }

  listShelves(profile: ProfileId): string[] {
    const shelves = new Set<string>();
    for (const id of this.#byProfile.get(profile) ?? []) {
      const shelf = this.#kept.get(id)?.shelves.get(profile);
      if (shelf !== undefined) shelves.add(shelf);
    }
    return [...shelves];
  }

  /** Drops a profile's list. @returns the proposals that are in no other list. */
  removeProfile(profile: ProfileId): ProposalWithoutTexts[] {
    const forgotten: ProposalWithoutTexts[] = [];
    for (const id of this.#byProfile.get(profile) ?? []) {
      const kept = this.#kept.get(id);
      if (!kept) continue;
      const shelves = new Map(kept.shelves);
      shelves.delete(profile);
      if (shelves.size > 0) {
        this.#kept.set(id, { ...kept, shelves });
      } else {
        this.#takeOut(kept);
        kept.letter.releaseMemory();
        this.#kept.delete(id);
        forgotten.push(kept.facts);
      }
    }
    this.#byProfile.delete(profile);
    return forgotten;
  }

  #takeOut({ facts }: PackedProposal): void {
    this.#order.delete(toProposalSortKey(facts));
    const { applicationUid } = facts;
    if (applicationUid !== undefined && this.#ids.get(applicationUid) === facts.id)
      this.#ids.delete(applicationUid);
  }

  /** Mostly only an outcome has changed: an unchanged packed letter is reused. */
  #pack(letter: ProposalTexts, before: PackedProposal | undefined): PackedJson {
    const json = JSON.stringify(letter);
    if (before?.letter.read() === json) return before.letter;
    before?.letter.releaseMemory();
    return this.#packer.pack(json);
  }
}
