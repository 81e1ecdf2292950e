/**
 * This process's running requests. Their claims aren't abandoned, and a response that couldn't be stored is
 * kept in memory.
 */
import { type Clock, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { BidId } from '../ids.ts';
import type { Log } from '../log.ts';
import { StorageError, type Store, type Transaction } from '../storage/store.ts';

export type RequestKey = `bid ${BidId}`;

export function bidRequestKey(id: BidId): RequestKey {
  return `bid ${id}`;
}

type Record = (tx: Transaction) => Promise<unknown>;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** A person waits during these retries; after them, storing continues in the background. */
const PAUSES_MS: readonly number[] = [SECOND, 5 * SECOND, 15 * SECOND];

type Tried<T> = { readonly kind: 'stored'; readonly value: T } | { readonly kind: 'refused' | 'lost' };

export class InFlightRequests {
  readonly #parts: Parts;
  readonly #count = new Map<RequestKey, number>();
  /** Responses that couldn't be stored yet. */
  readonly #unrecorded = new Map<RequestKey, Record>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  has(matter: RequestKey): boolean {
    return this.#count.has(matter) || this.#unrecorded.has(matter);
  }

  /** Runs `work` as an in-flight request, from before its claim until its response is stored. */
  async runInFlight<T>(matter: RequestKey, work: () => Promise<T>): Promise<T> {
    this.#count.set(matter, (this.#count.get(matter) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#count.get(matter) ?? 1) - 1;
      if (left > 0) this.#count.set(matter, left);
      else this.#count.delete(matter);
    }
  }

  /**
   * Stores a response, with pauses between retries while the disk fails. Never throws.
   * @returns the result of `record`; undefined if it wasn't stored. `retryRecording` tries again later,
   * unless the store is closed or the error is ours.
   */
  async recordResponse<T>(
    matter: RequestKey,
    record: (tx: Transaction) => Promise<T>,
  ): Promise<T | undefined> {
    for (const pauseMs of [0, ...PAUSES_MS]) {
      if (pauseMs > 0) await this.#parts.clock.sleep(pauseMs);
      const tried = await this.#try(matter, record);
      if (tried.kind === 'stored') return tried.value;
      if (tried.kind === 'lost') return undefined;
    }
    this.#unrecorded.set(matter, record);
    return undefined;
  }

  async retryRecording(): Promise<void> {
    for (const [matter, record] of this.#unrecorded) {
      const tried = await this.#try(matter, record);
      if (tried.kind !== 'refused') this.#unrecorded.delete(matter);
    }
  }

  async #try<T>(matter: RequestKey, record: (tx: Transaction) => Promise<T>): Promise<Tried<T>> {
    try {
      return { kind: 'stored', value: await this.#parts.store.transact(record) };
    } catch (thrown) {
      this.#parts.log.error("Couldn't store a marketplace response", {
        matter,
        error: asError(thrown),
      });
      const isPassing = thrown instanceof StorageError && thrown.code !== 'closed';
      return { kind: isPassing ? 'refused' : 'lost' };
    }
  }
}

/** For parts of bidding that send requests. */
export interface WithInFlightRequests {
  readonly inFlight: InFlightRequests;
}
