/** Requests through the gate on a manual clock, with more requests always waiting. */
import { type Clock, MINUTE, type RandomSource } from '../../src/clock.ts';
import type { Lane, RequestGate } from '../../src/marketplace/gate/gate.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { goThrough, MemoryJournal, openGate, type Sent } from '../../test/marketplace/gate/world.ts';
import { passTime } from '../../test/pass-time.ts';
import { seededRandom } from '../../test/seeded-random.ts';

/** Duration of a marketplace request, in ms. */
const SHORTEST = 100;
const LONGEST = 900;

export interface Played {
  readonly sent: readonly Sent[];
  /** Requests started, as a share of what the limit allowed between the first and the last; 0 to 1. */
  readonly used: number;
}

export interface Play {
  readonly limit: number;
  readonly lanes: readonly Lane[];
  readonly minutes: number;
  /** How often a new process takes over, with nothing but the journal. */
  readonly crashes: number;
}

/** Enters the gate again as soon as its request is over, forever. */
async function workOn(
  gate: RequestGate,
  clock: Clock,
  lane: Lane,
  random: RandomSource,
  sent: Sent[],
): Promise<never> {
  for (;;) {
    const tookMs = Math.floor(SHORTEST + random() * (LONGEST - SHORTEST));
    await goThrough(gate, clock, { lane, tookMs }, sent);
  }
}

export async function playGate({ limit, lanes, minutes, crashes }: Play): Promise<Played> {
  const random = seededRandom(limit);
  const clock = new ManualClock();
  let journal = new MemoryJournal();
  const sent: Sent[] = [];
  for (let life = 0; life <= crashes; life++) {
    const gate = await openGate(limit, journal, clock, random);
    const ofThisLife: Sent[] = [];
    // Twice as many as the limit allows, in each lane.
    for (const lane of lanes)
      for (let at = 0; at < limit * 2; at++) void workOn(gate, clock, lane, random, ofThisLife);
    await passTime(clock, (minutes * MINUTE) / (crashes + 1));
    const crashedAt = clock.now();
    journal = journal.crash();
    sent.push(...ofThisLife.map((one) => ({ ...one, to: one.ended ? one.to : crashedAt })));
  }
  return { sent, used: shareUsed(sent, limit) };
}

/** Without the first window, whose slots were free from the beginning. */
function shareUsed(sent: readonly Sent[], limit: number): number {
  const [first] = sent;
  const last = sent.at(-1);
  if (!first || !last || sent.length <= limit) return Number.NaN;
  const couldGo = ((last.from - first.from) / MINUTE) * limit;
  return (sent.length - limit) / couldGo;
}
