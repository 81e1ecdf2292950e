import { it } from 'vitest';
import { expectKept } from './check-soak.ts';
import { Soak } from './soak.ts';

/** `npm run soak` runs for days, with any seed, and shows the steps to each failure. */
const SEED = 1;

it(`after hours of every possible failure, the books match the servers’ (seed ${SEED})`, async () => {
  const soak = await Soak.begin({ seed: SEED });
  try {
    await soak.hours();
    await soak.calm();
    await expectKept(soak);
  } catch (thrown) {
    throw new Error(`after these steps:\n${soak.dice.steps.join('\n')}`, { cause: thrown });
  } finally {
    await soak.desk.stop();
  }
}, 300_000);
