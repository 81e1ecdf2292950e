/**
 * Requests that may not be repeated, because each may spend money or make something: a claim is stored, one
 * request is sent, its answer is stored. A claim without an answer may have taken effect: nothing here sends
 * it again.
 */
import type { Clock, Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import {
  type Collection,
  type Key,
  type ListPosition,
  StorageError,
  type Store,
  type Transaction,
} from '../storage/store.ts';

/** The request of a stored claim. */
export interface ClaimedRequest<Answer, View> {
  /** Sends the request. Called once; a client may repeat it only if nothing was done, as after a 429. */
  readonly ask: () => Promise<Answer>;
  /** Refused only if the error proves that nothing was done; otherwise the outcome is unknown. */
  readonly classify: (thrown: unknown) => Answer;
  readonly onAnswer?: (answer: Answer) => void;
  /** Settles the claim, if it is still open: this may run again. @returns what people see of it */
  readonly record: (tx: Transaction, answer: Answer, at: Instant) => Promise<View | undefined>;
  /** What people see while the answer can't be stored. */
  readonly apply: (answer: Answer, at: Instant) => View;
}

/** Where claims without an answer are found, and how they are settled. */
export interface OpenClaims<T, Name> {
  readonly collection: Collection<T>;
  /** By the time of the claim. */
  readonly index: string;
  readonly prefix?: Key;
  readonly nameOf: (claimed: T) => Name;
  /** Marks the claim's outcome as unknown. */
  readonly settle: (tx: Transaction, claimed: T, at: Instant) => Promise<unknown>;
}

interface Parts<Name> {
  readonly store: Store;
  readonly clock: Clock;
  /** A person waits during these retries of storing an answer; `retryRecording` continues later. */
  readonly retriesMs: readonly number[];
  readonly onUnrecorded: (name: Name, error: Error) => void;
}

type Recorded<View> =
  | { readonly kind: 'stored'; readonly view: View }
  | { readonly kind: 'refused' | 'lost' };

const BATCH = 20;

/** The attempts that this process runs, by a name of what each is about. Create one per store. */
export class Attempts<Name, View> {
  readonly #parts: Parts<Name>;
  readonly #running = new Map<Name, number>();
  /** Answers that the disk refused. */
  readonly #unrecorded = new Map<Name, { record: (tx: Transaction) => Promise<unknown>; view: View }>();

  constructor(parts: Parts<Name>) {
    this.#parts = parts;
  }

  /** Whether this process will store an answer: then the claim isn't abandoned. */
  has(name: Name): boolean {
    return this.#running.has(name) || this.#unrecorded.has(name);
  }

  /** An answer that isn't stored yet. */
  findUnrecorded(name: Name): View | undefined {
    return this.#unrecorded.get(name)?.view;
  }

  /** Runs an attempt, from before its claim until its answer is stored. */
  async run<T>(name: Name, attempt: () => Promise<T>): Promise<T> {
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    try {
      return await attempt();
    } finally {
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left > 0) this.#running.set(name, left);
      else this.#running.delete(name);
    }
  }

  /** Sends a claim's only request, within `run`, and stores its answer. Only the storing is retried. */
  async askOnce<Answer, Seen extends View>(name: Name, request: ClaimedRequest<Answer, Seen>): Promise<Seen> {
    const { clock, retriesMs } = this.#parts;
    const answer = await getAnswer(request);
    const at = clock.now();
    request.onAnswer?.(answer);
    const record = (tx: Transaction) => request.record(tx, answer, at);
    let recorded = await this.#record(name, record);
    for (const pauseMs of retriesMs) {
      if (recorded.kind !== 'refused') break;
      await clock.sleep(pauseMs);
      recorded = await this.#record(name, record);
    }
    const view = (recorded.kind === 'stored' ? recorded.view : undefined) ?? request.apply(answer, at);
    if (recorded.kind === 'refused') this.#unrecorded.set(name, { record, view });
    return view;
  }

  /** Tries again to store the answers that the disk refused. Never throws. */
  async retryRecording(): Promise<void> {
    for (const [name, { record }] of this.#unrecorded)
      if ((await this.#record(name, record)).kind !== 'refused') this.#unrecorded.delete(name);
  }

  /** Lost: the store is closed, so the next start settles the claim, or the error is ours. */
  async #record<T>(name: Name, record: (tx: Transaction) => Promise<T>): Promise<Recorded<T>> {
    const { store, onUnrecorded } = this.#parts;
    try {
      return { kind: 'stored', view: await store.transact(record) };
    } catch (thrown) {
      onUnrecorded(name, asError(thrown));
      const isPassing = thrown instanceof StorageError && thrown.code !== 'closed';
      return { kind: isPassing ? 'refused' : 'lost' };
    }
  }

  /**
   * Settles the claims that a previous process left without an answer.
   * @param before only claims older than this; missing: all
   * @returns how many
   * @throws StorageError
   */
  async settleAbandoned<T>(claims: OpenClaims<T, Name>, before?: Instant): Promise<number> {
    const { store, clock } = this.#parts;
    const { collection, index, prefix, nameOf, settle } = claims;
    const to = before === undefined ? undefined : [before];
    let count = 0;
    let after: ListPosition | undefined;
    do {
      const range = { index, prefix, limit: BATCH, to, after };
      const page = await store.transact(async (tx) => {
        const open = await tx.list(collection, range);
        const abandoned = open.filter(({ value }) => !this.has(nameOf(value)));
        for (const { value } of abandoned) await settle(tx, value, clock.now());
        return { settled: abandoned.length, end: open.length < BATCH ? undefined : open.at(-1)?.position };
      });
      count += page.settled;
      after = page.end;
    } while (after);
    return count;
  }
}

async function getAnswer<Answer>({ ask, classify }: ClaimedRequest<Answer, unknown>): Promise<Answer> {
  try {
    return await ask();
  } catch (thrown) {
    return classify(thrown);
  }
}
