/** A short soak of replicas; `npm run soak:replicas` is the long one. */
import { expect, it } from 'vitest';
import { expectPromisesKept } from './replicas/check-replicas.ts';
import { ReplicaSoak } from './replicas/replica-soak.ts';

it('keeps every promise while replicas, the database and connections fail', async () => {
  const soak = await ReplicaSoak.begin({
    seed: 1,
    replicas: 2,
    workspaces: 3,
    kills: 6,
    databaseRestarts: 1,
    refusals: 3,
    cuts: 2,
    pauses: 1,
    faultEveryMs: 1_500,
    eventEveryMs: 500,
  });
  try {
    await soak.play();
    await soak.calm();
    await expectPromisesKept(soak);
    expect(soak.places.flatMap(({ published }) => published).length).toBeGreaterThan(0);
  } catch (thrown) {
    await soak.abort();
    throw thrown;
  }
  await soak.close();
  expect(soak.fleet.broken).toEqual([]);
}, 120_000);
