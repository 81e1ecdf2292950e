/** The ways that docs/architecture.md describes lead through the files that it names. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { begin } from './begin-bid.ts';
import { listRunFiles } from './run-files.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

const page = readFileSync('docs/architecture.md', 'utf8');

/** The steps of a section: the files that each one names, with what it does first. */
function stepsOf(heading: string): readonly (readonly [string, readonly string[]])[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [list = ''] = section.split('\n## ');
  return list
    .split(/\n(?=\d+\. )/u)
    .filter((step) => /^\d+\. /u.test(step))
    .map((step) => {
      const files = [...step.matchAll(/`([\w-]+(?:\/[\w-]+)+\.ts)`/gu)].map(([, file]) => `src/${file}`);
      return [step.slice(0, 30), files] as const;
    });
}

async function withWorld(options: WorldOptions, action: (world: World) => Promise<unknown>) {
  const world = await startWorld(options);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(MINUTE);
  const ran = await listRunFiles(() => action(world));
  await world.stop();
  return ran;
}

const ways = {
  'How a project becomes a card': () =>
    withWorld({}, async (world) => {
      world.marketplace.publishProject(101);
      await world.until('the card', () => world.cards('web').length > 0);
      const [card] = world.cards('web');
      if (card) await world.slack.press({ message: card, user: 'ada', actionId: actionIds.claim });
      await world.pass(5 * SECOND);
    }),
  'How a bid is sent': async () => {
    const { bid, world } = await begin();
    return listRunFiles(async () => {
      await bid.open();
      await bid.submit();
      await world.pass(5 * MINUTE);
    });
  },
  'How a command is answered': () =>
    withWorld({ mode: 'http' }, (world) =>
      world.gig('web', `lookup ${world.marketplace.publishProject([]).ciphertext}`),
    ),
};

it.each(Object.entries(ways))('%s: through the files that each step names', async (heading, action) => {
  const steps = stepsOf(heading);
  expect(steps.length).toBeGreaterThan(4);
  expect(steps.filter(([, files]) => files.length === 0)).toEqual([]);
  const ran = await action();
  const idle = steps.map(([step, files]) => [step, files.filter((file) => !ran.has(file))] as const);
  expect(idle.filter(([, files]) => files.length > 0)).toEqual([]);
});
