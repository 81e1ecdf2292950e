/** Pasted links and lookups leave room for bids and the feed, even under a low limit. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { referencedProjectNotFoundMessage } from '../../src/slack/kit/project/project-lines.ts';
import { creates, grant, openBid, SETUP, startBidWorld } from './bidder.ts';
import type { World, WorldOptions } from './world.ts';

function limited(requestsPerMinute: number): WorldOptions {
  return { requestsPerMinute, env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(requestsPerMinute) } };
}

/** Unknown ids of the marketplace, in numbered blocks. */
function unknownIds(count: number, block = 1): string[] {
  return Array.from(
    { length: count },
    (_, place) => `~029${String(block * 1_000 + place).padStart(15, '0')}`,
  );
}

/** A message of ada's with that many links of unknown projects. */
async function paste(world: World, ids: readonly string[], channel = 'web'): Promise<void> {
  const urls = ids.map((id) => `https://www.marketplace.example/jobs/${id}`);
  await world.slack.postLinks({ user: 'ada', channel, urls });
}

function lookups(world: World) {
  return world.marketplace.requests().filter((it) => it.path === '/projects/lookup');
}

function reads(world: World, since: number) {
  return world.marketplace
    .requests()
    .filter((it) => it.at >= since && it.path === '/filters/101/projects' && it.status === 200);
}

/** How long Ben's bid waits from its submission until it is sent. */
async function bidAfter(trouble: (world: World) => Promise<void>): Promise<number> {
  const { world, project } = await startBidWorld(limited(5));
  await openBid(world, project);
  await world.pass(2 * MINUTE);
  await trouble(world);
  const from = world.clock.now();
  await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
  await world.until('the bid', () => creates(world).length === 1, 3 * MINUTE);
  const waited = world.clock.now() - from;
  await world.stop();
  return waited;
}

describe('at 5 requests a minute', () => {
  it('two messages of five links delay no bid', async () => {
    const waited = await bidAfter(async (world) => {
      await paste(world, unknownIds(5, 1));
      await paste(world, unknownIds(5, 2));
    });
    expect(waited).toBeLessThanOrEqual(16 * SECOND);
  });

  it('a run of lookups delays no bid, and says when to go on', async () => {
    let said: readonly string[] = [];
    const waited = await bidAfter(async (world) => {
      for (const id of unknownIds(10))
        await world.slack.runSlashCommand({ user: 'ada', channel: 'web', text: `lookup ${id}` });
      await world.pass(SECOND);
      said = world.slack.ephemerals('ada', 'web').map(({ text }) => text);
    });
    expect(waited).toBeLessThanOrEqual(16 * SECOND);
    expect(said.filter((words) => words.includes('<!date^')).length).toBeGreaterThanOrEqual(6);
  });

  it('a person who looks something up every 5 s leaves the feed most of its reads', async () => {
    const { world } = await startBidWorld(limited(5));
    await world.pass(2 * MINUTE);
    const from = world.clock.now();
    for (const id of unknownIds(36)) {
      await world.slack.runSlashCommand({ user: 'ben', channel: 'web', text: `lookup ${id}` });
      await world.pass(5 * SECOND);
    }
    expect(reads(world, from).length).toBeGreaterThanOrEqual(6);
    await world.stop();
  });
});

describe('at 30 requests a minute', () => {
  it('a message of links every 5 s does not stop the feed', async () => {
    const { world } = await startBidWorld(limited(30));
    const calm = world.clock.now();
    await world.pass(3 * MINUTE);
    const usual = reads(world, calm).length;
    const from = world.clock.now();
    for (let message = 0; message < 36; message++) {
      await paste(world, unknownIds(5, message));
      await world.pass(5 * SECOND);
    }
    expect(reads(world, from).length).toBeGreaterThanOrEqual(0.7 * usual);
    const { ciphertext } = world.marketplace.publishProject(101);
    await world.until('its card', () => world.told('web').includes(ciphertext), MINUTE);
    await world.stop();
  });

  it('the links of one channel are asked for one at a time, and the newest message goes first', async () => {
    const { world } = await startBidWorld(limited(30));
    await world.pass(2 * MINUTE);
    world.marketplace.injectFault({ path: '/projects/lookup' }, { kind: 'hold-headers', ms: 3_000 }, 100);
    const before = lookups(world).length;
    const [old, older, newest] = [unknownIds(5, 1), unknownIds(5, 2), unknownIds(5, 3)] as const;
    for (const ids of [old, older, newest]) await paste(world, ids);
    await world.pass(SECOND);
    expect(lookups(world)).toHaveLength(before + 1);
    await world.pass(MINUTE);
    const asked = lookups(world)
      .slice(before)
      .map(({ query }) => query['ciphertext'] ?? '');
    expect(asked.filter((id) => old.includes(id))).toHaveLength(1);
    expect(asked.filter((id) => older.includes(id))).toEqual([]);
    expect(asked.filter((id) => newest.includes(id)).length).toBeGreaterThanOrEqual(2);
    await world.stop();
  });
});

describe('an id that the marketplace does not know', () => {
  it('is asked for once in some minutes, by links and by people, who hear when it was', async () => {
    const { world } = await startBidWorld(limited(30));
    await grant(world, ['ben']);
    const [id = ''] = unknownIds(1);
    const asked = () => lookups(world).filter(({ query }) => query['ciphertext'] === id).length;
    for (let time = 0; time < 3; time++) {
      await paste(world, [id]);
      await world.pass(20 * SECOND);
    }
    expect(asked()).toBe(1);
    const answer = await world.gig('web', `lookup ${id}`, 'ben');
    expect(answer).toContain(id);
    expect(answer).toContain('<!date^');
    expect(asked()).toBe(1);
    await world.pass(5 * MINUTE);
    expect(await world.gig('web', `lookup ${id}`, 'ben')).toContain(
      referencedProjectNotFoundMessage({ ciphertext: id }).text,
    );
    expect(asked()).toBe(2);
    await world.stop();
  });
});
