/** A process that dies at a commit, as its store sees it. */
import type { Store } from '../src/storage/store.ts';

/** Survives this many commits and dies at the next, just before or after it: later calls have no effect. */
export class Mortal {
  dead = false;
  #left: number;
  readonly #after: boolean;

  constructor(commits = Number.POSITIVE_INFINITY, after = false) {
    this.#left = commits;
    this.#after = after;
  }

  /** The store of this process. */
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
