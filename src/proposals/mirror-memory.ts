/** The proposals in memory: by id, by uid, by profile, and newest first. */
import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';
import type { Instant } from '../clock.ts';
import type { ProfileId, ProposalId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
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

export class MirrorMemory {
  readonly #held = new Map<ProposalId, Held>();
  readonly #ids = new Map<string, ProposalId>();
  readonly #byProfile = new Map<ProfileId, Set<ProposalId>>();
  readonly #order = new BTree<Place, Proposal>(undefined, (a, b) => comparePlaces(b, a));

  get size(): number {
    return this.#held.size;
  }

  get(id: ProposalId): Held | undefined {
    return this.#held.get(id);
  }

  byUid(uid: string): Proposal | undefined {
    const id = this.#ids.get(uid);
    return id === undefined ? undefined : this.#held.get(id)?.proposal;
  }

  /** Newest first. A copy that costs nothing: it shares with the original what does not change. */
  newest(): Iterable<Proposal> {
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
    const { proposal, shelves } = held;
    const before = this.#held.get(proposal.id);
    if (before) this.#takeOut(before);
    this.#held.set(proposal.id, held);
    this.#order.set(placeOf(proposal), proposal);
    if (proposal.applicationUid !== undefined) this.#ids.set(proposal.applicationUid, proposal.id);
    for (const profile of shelves.keys()) {
      const ids = this.#byProfile.get(profile) ?? new Set();
      this.#byProfile.set(profile, ids.add(proposal.id));
    }
  }

  /** On which shelves a profile's proposals are kept. */
  shelvesOf(profile: ProfileId): string[] {
    const shelves = new Set<string>();
    for (const id of this.#byProfile.get(profile) ?? []) {
      const shelf = this.#held.get(id)?.shelves.get(profile);
      if (shelf !== undefined) shelves.add(shelf);
    }
    return [...shelves];
  }

  /** Forgets what stands in a profile's list. @returns the proposals that stand in no other. */
  drop(profile: ProfileId): Proposal[] {
    const forgotten: Proposal[] = [];
    for (const id of this.#byProfile.get(profile) ?? []) {
      const held = this.#held.get(id);
      if (!held) continue;
      const shelves = new Map(held.shelves);
      shelves.delete(profile);
      if (shelves.size > 0) {
        this.#held.set(id, { ...held, shelves });
      } else {
        this.#takeOut(held);
        this.#held.delete(id);
        forgotten.push(held.proposal);
      }
    }
    this.#byProfile.delete(profile);
    return forgotten;
  }

  #takeOut({ proposal }: Held): void {
    this.#order.delete(placeOf(proposal));
    const { applicationUid } = proposal;
    if (applicationUid !== undefined && this.#ids.get(applicationUid) === proposal.id)
      this.#ids.delete(applicationUid);
  }
}
