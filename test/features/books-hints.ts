/** The hints of `books-play.ts`: right, wrong, for unknown filters, and in floods. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { sendHint } from './hint-sender.ts';
import type { World } from './world.ts';

interface HintGame {
  readonly secret: string;
  readonly filters: readonly number[];
  /** A random whole number from 0. */
  readonly upTo: (most: number) => number;
}

/** @returns what was sent */
export async function sendSomeHints(world: World, { secret, filters, upTo }: HintGame): Promise<string> {
  const isRight = upTo(3) > 0;
  const known = filters[upTo(filters.length - 1)] ?? 0;
  const filter = upTo(4) > 0 ? known : 900 + upTo(9);
  const times = [1, 1, 2, 40][upTo(3)] ?? 1;
  const sent = isRight ? secret : `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
  for (let time = 0; time < times; time++) {
    const answer = await sendHint(world, { secret: sent, body: JSON.stringify({ data: [{ filter }] }) });
    expect(answer.status).toBe(isRight ? 200 : 404);
    if (upTo(9) === 0) await world.pass(SECOND);
  }
  return `${times} ${isRight ? 'right' : 'wrong'} hints for ${filter}`;
}
