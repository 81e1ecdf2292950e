/** Whoever waits for an answer is told so, once; what comes then says what it answers. */
import { type Clock, SECOND } from '../clock.ts';
import { afterWaiting, waitingMessage } from './messages/waiting.ts';
import type { Message } from './routes.ts';

/** Longer than an answer out of the store takes, and shorter than people wait before they try again. */
const PATIENCE_MS = 2 * SECOND;

/** What somebody waits for. */
export interface Asked {
  /** What an answer that took long begins with. Harmless mrkdwn. */
  readonly asked: string;
  /** It does something, rather than look something up. */
  readonly acts?: boolean;
}

/** Runs what may take long. @param tell called once after 2 s, where it is not done by then; must not throw */
export async function tellWaiting<T>(
  clock: Clock,
  tell: () => Promise<void>,
  run: () => Promise<T>,
): Promise<T> {
  let told: Promise<void> | undefined;
  const callOff = clock.after(PATIENCE_MS, () => {
    told = tell();
  });
  try {
    return await run();
  } finally {
    callOff();
    // What comes of it stands on what was told, not below.
    await told;
  }
}

export class Patience {
  readonly #clock: Clock;
  #asked = '';
  #callOff: () => void = () => undefined;
  #told: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Tells it after 2 s, unless something was answered by then.
   * @param tell must not throw
   */
  begin({ asked, acts }: Asked, tell: (message: Message) => Promise<void>): void {
    this.#asked = asked;
    this.#callOff = this.#clock.after(PATIENCE_MS, () => {
      this.#told = tell(waitingMessage(asked, acts));
    });
  }

  /** Whoever waits was told that the answer comes: it follows, and takes no other message's place. */
  get hasTold(): boolean {
    return this.#told !== undefined;
  }

  end(): void {
    this.#callOff();
  }

  /** An answer as it is to be sent, behind what was told. A slash command's `response_url` replaces nothing, so it follows. */
  async answer(message: Message, to: 'ephemeral' | 'channel'): Promise<Message> {
    this.end();
    await this.#told;
    return this.#told && to === 'ephemeral' ? afterWaiting(this.#asked, message) : message;
  }
}
