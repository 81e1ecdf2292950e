/** Trigger IDs: each lets the app open one view for one person, within 3 s. */
import { type Clock, SECOND } from '../../clock.ts';
import type { SlackIdGenerator } from './identifiers.ts';

const TRIGGER_LIVES_MS = 3 * SECOND;

interface Trigger {
  readonly userId: string;
  readonly madeAt: number;
  used: boolean;
}

export type TriggerCheck =
  | { readonly userId: string }
  | { readonly error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

export class TriggerStore {
  readonly #clock: Clock;
  readonly #ids: SlackIdGenerator;
  readonly #triggers = new Map<string, Trigger>();

  constructor(clock: Clock, ids: SlackIdGenerator) {
    this.#clock = clock;
    this.#ids = ids;
  }

  issue(userId: string): string {
    const id = `${this.#ids.nextId('').replace(/^0+/, '')}.${this.#clock.now()}.${this.#ids.randomToken(32)}`;
    this.#triggers.set(id, { userId, madeAt: this.#clock.now(), used: false });
    return id;
  }

  /** Checks a trigger without using it up. */
  checkTrigger(id: string): TriggerCheck {
    const trigger = this.#triggers.get(id);
    if (!trigger) return { error: 'invalid_trigger_id' };
    if (trigger.used) return { error: 'exchanged_trigger_id' };
    if (this.#clock.now() - trigger.madeAt > TRIGGER_LIVES_MS) return { error: 'expired_trigger_id' };
    return { userId: trigger.userId };
  }

  markUsed(id: string): void {
    const trigger = this.#triggers.get(id);
    if (trigger) trigger.used = true;
  }

  clear(): void {
    this.#triggers.clear();
  }
}
