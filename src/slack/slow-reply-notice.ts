/** Whoever waits for an answer is told so, once; what comes then says what it answers. */
import { SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { UserId } from '../ids.ts';
import { addRequestHeading, slowReplyMessage } from './messages/slow-reply.ts';
import type { Message, Services } from './routes.ts';

/** Longer than an answer out of the store takes, and shorter than people wait before they try again. */
const PATIENCE_MS = 2 * SECOND;

/** What somebody waits for. */
export interface PendingWork {
  /** What an answer that took long begins with. Harmless mrkdwn. */
  readonly pendingLabel: string;
  /** It does something, rather than look something up. */
  readonly hasSideEffects?: boolean;
}

type Parts = Pick<Services, 'clock' | 'log'>;

/** That somebody can't be told to wait must not cost them the answer. */
async function tellOrLog({ log }: Parts, user: UserId, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (thrown) {
    log.warn('could not show a slow reply notice', { user, error: asError(thrown) });
  }
}

/** Runs what may take long. @param tell called once after 2 s, where it is not done by then */
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
    // What comes of it stands on what was told, not below.
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

  /** Tells it after 2 s, unless something was answered by then. */
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

  /** Whoever waits was told that the answer comes: it follows, and takes no other message's place. */
  get wasShown(): boolean {
    return this.#told !== undefined;
  }

  cancelNotice(): void {
    this.#callOff();
  }

  /** An answer as it is to be sent, behind what was told. A slash command's `response_url` replaces nothing, so it follows. */
  async prepareReply(message: Message, to: 'ephemeral' | 'channel'): Promise<Message> {
    this.cancelNotice();
    await this.#told;
    return this.#told && to === 'ephemeral' ? addRequestHeading(this.#asked, message) : message;
  }
}
