/** A process that dies at a commit, as its store shows it. */
import type { Store } from '../src/storage/store.ts';

/** Lives for so many commits and dies at the next, just before it or just after: from then on nothing of it ever happens. */
export class Mortal {
  dead = false;
  #left: number;
  readonly #after: boolean;

  constructor(commits = Number.POSITIVE_INFINITY, after = false) {
    this.#left = commits;
    this.#after = after;
  }

  /** The store as this process gets to see it. */
  readonly wrap = (disk: Store): Store => {
    const never = () => new Promise<never>(() => {});
    return {
      ...disk,
      transact: async (work) => {
        if (this.dead) return never();
        if (this.#left-- > 0) return disk.transact(work);
        this.dead = true;
        if (this.#after) await disk.transact(work);
        return never();
      },
      read: (work) => (this.dead ? never() : disk.read(work)),
    };
  };
}
