import { it, onTestFinished } from 'vitest';
import { playAndJudge } from './judge.ts';
import { Play } from './play.ts';

/** `npm run soak` runs for days, with any seed, and shows the steps to each failure. */
const SEED = 1;

it(`after hours of every possible failure, the books match the servers’ (seed ${SEED})`, async () => {
  const play = await Play.begin({ seed: SEED, about: 'soak', requestsPerMinute: 5 });
  onTestFinished(play.desk.stop);
  await playAndJudge(play, () => play.hours());
}, 300_000);
