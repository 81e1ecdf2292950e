/** Whoever waits for an answer is told so, once; what comes then says what it answers. */
import { type Clock, SECOND } from '../clock.ts';
import { afterWaiting, waitingMessage } from './messages/waiting.ts';
import type { Message } from './routes.ts';

/** Longer than an answer out of the store takes, and shorter than people wait before they try again. */
const PATIENCE_MS = 2 * SECOND;

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
   * @param asked what is looked up; harmless mrkdwn
   * @param tell must not throw
   */
  begin(asked: string, tell: (message: Message) => Promise<void>): void {
    this.#asked = asked;
    this.#callOff = this.#clock.after(PATIENCE_MS, () => {
      this.#told = tell(waitingMessage(asked));
    });
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
