/** The invitation service: reads the followed sources, one page after another, and deletes old records. */
import { WakeSignal } from '../base/wake-signal.ts';
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { readPost } from '../outbox/outbox.ts';
import { isPostPending, posts } from '../outbox/posts.ts';
import { StorageError, type StoredEntry, type Transaction } from '../storage/store.ts';
import { readInvitationSweepPage, readNewestInvitations, recordInvitationFailure } from './read-source.ts';
import {
  type InvitationCard,
  type InvitationRecord,
  invitationCards,
  invitationLetterPostId,
  invitationPostId,
  invitationRecords,
} from './records.ts';
import {
  findNextReadTask,
  type InvitationReadTask,
  type InvitationSource,
  type InvitationsContext,
  invitationSourceKey,
  readInvitationSources,
} from './sources.ts';

const LONGEST_SLEEP_MS = MINUTE;
const AFTER_FAULT_MS = MINUTE;
const BETWEEN_SWEEPS_MS = 10 * SECOND;

export class InvitationService {
  readonly #context: InvitationsContext;
  readonly #bell = new WakeSignal();
  /** Set when all profiles must wait. Not stored: a restart may retry at once. */
  #restsUntil: Instant = 0;
  #sweepsFrom: Instant = 0;
  /** Sources that wait after an internal error, with the end of their pause. */
  readonly #stumbled = new Map<string, Instant>();

  constructor(context: InvitationsContext) {
    this.#context = context;
  }

  /** Checks for due reads at once, after the followed sources changed. */
  wake(): void {
    this.#bell.wake();
  }

  /** Reads the followed sources until stopped. Never throws. */
  run(signal: AbortSignal): Promise<void> {
    const step = () => this.#turn(signal);
    return runLoop(this.#context, { name: 'Invitations', step, retryAfterMs: AFTER_FAULT_MS }, signal);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#context;
    const states = await store.read((tx) => readInvitationSources(tx, clock.now()));
    const now = clock.now();
    const task = findNextReadTask(states, now, {
      notBefore: (source) => Math.max(this.#restsUntil, this.#stumbled.get(invitationSourceKey(source)) ?? 0),
      sweepsFrom: this.#sweepsFrom,
    });
    if (task && task.at <= now) return this.#carryOut(task, signal);
    const waitMs = Math.min(LONGEST_SLEEP_MS, (task?.at ?? Number.POSITIVE_INFINITY) - now);
    await this.#bell.wait(clock, waitMs, signal);
    this.#forgetWrongTimes();
  }

  /** Resets pauses that are too far ahead: the clock was set back. */
  #forgetWrongTimes(): void {
    const latest = this.#context.clock.now() + DAY;
    if (this.#restsUntil > latest) this.#restsUntil = 0;
    if (this.#sweepsFrom > latest) this.#sweepsFrom = 0;
    for (const [name, until] of this.#stumbled) if (until > latest) this.#stumbled.delete(name);
  }

  async #carryOut({ source, kind }: InvitationReadTask, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    if (kind === 'sweep') this.#sweepsFrom = clock.now() + BETWEEN_SWEEPS_MS;
    try {
      const read = kind === 'newest' ? readNewestInvitations : readInvitationSweepPage;
      await read(this.#context, source, signal);
      this.#stumbled.delete(invitationSourceKey(source));
    } catch (thrown) {
      if (signal.aborted || thrown instanceof StorageError) throw thrown;
      await this.#fail(source, thrown);
    }
  }

  /** An internal error pauses only its own source. */
  async #fail(source: InvitationSource, thrown: unknown): Promise<void> {
    const { log, clock } = this.#context;
    log.warn("Couldn't read invitations", { ...source, error: asError(thrown) });
    if (!(thrown instanceof MarketplaceError)) {
      this.#stumbled.set(invitationSourceKey(source), clock.now() + AFTER_FAULT_MS);
      return;
    }
    const restsUntil = await recordInvitationFailure(this.#context, source, thrown);
    if (restsUntil !== undefined) this.#restsUntil = restsUntil;
  }
}

/** Deletes a channel's old card with its messages, unless one of them is pending. */
export async function deleteOldInvitationCard(
  tx: Transaction,
  { key, value }: StoredEntry<InvitationCard>,
  before: Instant,
): Promise<void> {
  const { channel, uid, foundAt, claim } = value;
  if (Math.max(foundAt, claim?.at ?? 0) >= before) return;
  if (isPostPending(await readPost(tx, invitationPostId(channel, uid)))) return;
  await tx.delete(invitationCards, key);
  for (const id of [invitationPostId(channel, uid), invitationLetterPostId(channel, uid)])
    await tx.delete(posts, [id]);
}

/** Deletes an old invitation that has no card. */
export async function deleteOldInvitation(
  tx: Transaction,
  { key, value: { uid } }: StoredEntry<InvitationRecord>,
): Promise<void> {
  const [card] = await tx.list(invitationCards, { index: 'byInvitation', prefix: [uid], limit: 1 });
  if (!card) await tx.delete(invitationRecords, key);
}
