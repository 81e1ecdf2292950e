/** The app stops in time on its own with any amount of work in progress, and the next start resumes it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { errorsInLog, warningsInLog } from './healthy.ts';
import { AFTER_THE_END_MS, startWorld, type World } from './world.ts';

/** Supervisors kill after 10 s; a second is left for the disk. */
const IN_TIME_MS = 9 * SECOND;

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  const profile = world.marketplace.addProfile({ id: 301 });
  for (let count = 0; count < 30; count++) world.marketplace.addProposal({ profileId: profile.id });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(30 * SECOND);
});

const held = { kind: 'hold-headers' } as const;
const always = Number.POSITIVE_INFINITY;

/** A message, a poll, a lookup and a copy of proposals without an answer. */
async function holdAll(): Promise<void> {
  const post = world.slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' }, always);
  const project = world.marketplace.publishProject(101);
  await world.until('a message under way', () => post.held > 0);
  const poll = world.marketplace.injectFault({ path: '/filters/101/projects' }, held, always);
  await world.until('a poll under way', () => poll.hits() > 0);
  const copy = world.marketplace.injectFault({ path: '/proposals' }, held, always);
  await world.slack.runSlashCommand({ user: 'ada', channel: 'data', text: 'subscribe outcomes 301' });
  await world.until('a copy under way', () => copy.hits() > 0);
  const lookup = world.marketplace.injectFault({ path: '/projects/lookup' }, held, always);
  const { ciphertext } = world.marketplace.publishProject(101);
  await world.slack.runSlashCommand({ user: 'ada', channel: 'web', text: `lookup ${ciphertext}` });
  await world.until('a lookup under way', () => lookup.hits() > 0);
  expect(world.told('web')).toContain(project.ciphertext);
}

let isOver = false;
afterEach(async () => {
  if (!isOver) await world.stop();
});

it('with a message, a poll, a copy and a lookup held back it ends within 9 s', async () => {
  await holdAll();
  const asked = world.clock.now();
  await world.stop();
  isOver = true;
  expect(world.clock.now() - asked).toBeLessThanOrEqual(IN_TIME_MS + AFTER_THE_END_MS);
  // Cancelled calls have a reference; there are no other errors.
  expect(errorsInLog(world).filter((line) => !line.includes('"ref"'))).toEqual([]);
  expect(warningsInLog(world, '"error":')).toEqual([]);
});
