import { describe, it, onTestFinished } from 'vitest';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import type { Input } from '../kit/person.ts';
import { playAndJudge } from '../play/judge.ts';
import { Play } from '../play/play.ts';

/** Few, since each needs a whole app. */
const SEEDS = seedsToPlay([4, 43]);
const WINDOW = { 'Cancel window': '10 seconds' };
const SECOND_APPROVAL = { ...WINDOW, 'Second approval above this amount': '5' };

async function playBids(seed: number, steps: number, rules?: Input): Promise<void> {
  const play = await Play.begin({ seed, about: 'bids', ...(rules ? { rules } : {}) });
  onTestFinished(play.desk.stop);
  await playAndJudge(play, async () => {
    for (let step = 0; step < steps; step++) await play.step();
  });
}

describe('whatever people press and whatever fails', () => {
  it.each(SEEDS)(
    'each form sent knowing how the last one ended sends one bid, with its true outcome posted (seed %i)',
    (seed) => playBids(seed, 40),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent after Cancel, and everything else once, with a cancel window (seed %i)',
    (seed) => playBids(seed + 1_000, 40, WINDOW),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent without its second approval, and everything else once (seed %i)',
    (seed) => playBids(seed + 2_000, 50, SECOND_APPROVAL),
    60_000,
  );
});
