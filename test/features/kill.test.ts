import { it } from 'vitest';
import { playKills } from '../processes/play-kills.ts';

/** `npm run soak` kills it 200 times. */
const KILLS = 2;

it(`killed ${KILLS} times, it posts each project once, and its ledger agrees with the server`, async () => {
  await playKills({ kills: KILLS, seed: 7 });
}, 180_000);
