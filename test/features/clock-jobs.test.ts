/** What comes at times of the wall clock, while that clock is wrong: nothing, and afterwards all of it. */
import { afterEach, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { asRead } from './as-read.ts';
import { changeSettings } from './settings-form.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

const digests = () => posted(world, 'digest').map((digest) => asRead(world, wordsOf(digest)));

async function begin(start: string): Promise<void> {
  world = await startWorld({ start: Date.parse(start) });
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(MINUTE);
}

async function publish(title: string): Promise<void> {
  const { ciphertext } = world.marketplace.publishProject(101, { title });
  await world.until('its card', () => world.told('web').includes(ciphertext));
}

/** As if nothing happened in between. */
async function moveTo(time: string): Promise<void> {
  world.clock.moveTo(Date.parse(time));
  await world.pass(2 * MINUTE);
}

it.each([
  ['40 days', 40 * DAY],
  ['2 days', 2 * DAY],
  ['12 hours', 12 * HOUR],
])(
  'a clock that is %s ahead for three minutes posts no digest, and none loses a project',
  async (_, ahead) => {
    await begin('2026-11-24T09:30:00Z');
    await world.gig('web', 'digest at 09:00 UTC daily');
    await publish('Before');
    world.skew.ms = ahead;
    await world.pass(3 * MINUTE);
    expect(digests()).toEqual([]);
    const answer = await world.gig('web', 'digest now');
    expect(answer).toContain('clock');
    expect(digests()).toEqual([]);
    world.skew.ms = 0;
    await world.pass(5 * MINUTE);
    await publish('Afterwards');
    await moveTo('2026-11-25T09:00:00Z');
    await publish('Next day');
    await moveTo('2026-11-26T09:00:00Z');
    const [first, second, ...more] = digests();
    expect(more).toEqual([]);
    for (const title of ['Before', 'Afterwards']) expect(first).toContain(title);
    expect(second).toContain('Next day');
    expect(first).not.toMatch(/missed|late/u);
  },
);

it('a clock that is 12 hours ahead at night ends no quiet hours', async () => {
  await begin('2026-11-24T18:00:00Z');
  await changeSettings(world, 'web', {
    quiet: ['daily'],
    'quiet-from': '20:00',
    'quiet-to': '08:00',
    timezone: 'berlin',
  });
  await moveTo('2026-11-24T22:00:00Z');
  world.marketplace.publishProject(101, { title: 'At night' });
  await world.pass(5 * MINUTE);
  world.skew.ms = 12 * HOUR;
  await world.pass(5 * MINUTE);
  expect(world.told('web')).toHaveLength(0);
  world.skew.ms = 0;
  await moveTo('2026-11-25T06:55:00Z');
  expect(world.told('web')).toHaveLength(0);
  await moveTo('2026-11-25T07:05:00Z');
  expect(world.told('web')).toHaveLength(1);
});
