/** A short soak of replicas; `npm run soak -- replicas` is the long one. */
import { expect, it } from 'vitest';
import { ReplicaSoak } from './replicas/replica-soak.ts';

it('keeps every promise while replicas, the database and connections fail', async () => {
  const soak = await ReplicaSoak.begin({
    seed: 1,
    replicas: 2,
    workspaces: 3,
    faults: { kill: 6, database: 1, refusal: 3, cut: 2, pause: 1 },
    faultEveryMs: 1_500,
    eventEveryMs: 500,
  });
  try {
    await soak.play();
    await soak.calm();
    await soak.expectPromisesKept();
    expect(soak.workspaces.flatMap(({ published }) => published).length).toBeGreaterThan(0);
  } finally {
    await soak.close();
  }
}, 240_000);
