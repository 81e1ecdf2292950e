/** IDs and message times in Slack's format: the same order of events gives the same IDs. */
import type { Clock, RandomSource } from '../../clock.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export class SlackIdGenerator {
  readonly #clock: Clock;
  readonly #random: RandomSource;
  #count = 0;
  #lastMicros = 0;

  constructor(clock: Clock, random: RandomSource) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Such as `U00000007`. */
  nextId(prefix: string): string {
    this.#count += 1;
    return `${prefix}${String(this.#count).padStart(8, '0')}`;
  }

  /** Letters and digits, for generated block IDs, hashes and URLs. */
  randomToken(length: number): string {
    let made = '';
    while (made.length < length) made += ALPHABET[Math.floor(this.#random() * ALPHABET.length)] ?? 'A';
    return made;
  }

  /** A message's time, `seconds.micros`; later than all previous ones, even while the clock is stopped. */
  nextTs(): string {
    const micros = Math.max(this.#clock.now() * 1000, this.#lastMicros + 100);
    this.#lastMicros = micros;
    return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
  }
}

/** Compares message times as numbers. */
export function compareTs(a: string, b: string): number {
  // Of times with as many digits, the text decides; this is compared often.
  if (a.length === b.length && a.indexOf('.') === b.indexOf('.')) return a < b ? -1 : Number(a > b);
  const [secondsA = '0', microsA = '0'] = a.split('.');
  const [secondsB = '0', microsB = '0'] = b.split('.');
  return (
    Number(secondsA) - Number(secondsB) || Number(microsA.padEnd(6, '0')) - Number(microsB.padEnd(6, '0'))
  );
}
