/** Tells a waiting person once that the answer takes longer; the late answer then names its request. */
import { SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { UserId } from '../../ids.ts';
import type { Message, Services } from './routes.ts';
import { addRequestHeading, slowReplyMessage } from './slow-reply.ts';

/** Longer than an answer from the store takes, and shorter than people wait before they retry. */
const PATIENCE_MS = 2 * SECOND;

/** What a person is waiting for. */
export interface PendingWork {
  /** The heading of a late answer. Safe mrkdwn. */
  readonly pendingLabel: string;
  /** It changes something, rather than look something up. */
  readonly hasSideEffects?: boolean;
}

type Parts = Pick<Services, 'clock' | 'log'>;

/** A failed notice must not prevent the answer. */
async function tellOrLog({ log }: Parts, user: UserId, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (thrown) {
    log.warn('could not show a slow reply notice', { user, error: asError(thrown) });
  }
}

/** Runs possibly slow work. @param tell called once after 2 s if the work isn't done */
export async function withSlowNotice<T>(
  parts: Parts,
  user: UserId,
  tell: () => Promise<void>,
  run: () => Promise<T>,
): Promise<T> {
  let told: Promise<void> | undefined;
  const callOff = parts.clock.runAfter(PATIENCE_MS, () => {
    told = tellOrLog(parts, user, tell);
  });
  try {
    return await run();
  } finally {
    callOff();
    // The result must come after the notice.
    await told;
  }
}

export class SlowReplyNotice {
  readonly #parts: Parts;
  readonly #user: UserId;
  #asked = '';
  #callOff: () => void = () => undefined;
  #told: Promise<void> | undefined;

  constructor(parts: Parts, user: UserId) {
    this.#parts = parts;
    this.#user = user;
  }

  /** Shows the notice after 2 s, unless there was an answer by then. */
  scheduleNotice(
    { pendingLabel, hasSideEffects }: PendingWork,
    tell: (message: Message) => Promise<void>,
  ): void {
    this.#asked = pendingLabel;
    this.#callOff = this.#parts.clock.runAfter(PATIENCE_MS, () => {
      this.#told = tellOrLog(this.#parts, this.#user, () =>
        tell(slowReplyMessage(pendingLabel, hasSideEffects)),
      );
    });
  }

  /** After a notice the answer follows as a new message and replaces none. */
  get wasShown(): boolean {
    return this.#told !== undefined;
  }

  cancelNotice(): void {
    this.#callOff();
  }

  /** Prepares an answer to follow the notice: a slash command's `response_url` can't replace it. */
  async prepareReply(message: Message, to: 'ephemeral' | 'channel'): Promise<Message> {
    this.cancelNotice();
    await this.#told;
    return this.#told && to === 'ephemeral' ? addRequestHeading(this.#asked, message) : message;
  }
}
