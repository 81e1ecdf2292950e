import { it } from 'vitest';
import { playKills } from './kill-play.ts';

const KILLS = 20;

it(`killed ${KILLS} times it tells every project once, and its ledger is the server’s`, async () => {
  await playKills({ kills: KILLS, seed: 7 });
}, 180_000);
