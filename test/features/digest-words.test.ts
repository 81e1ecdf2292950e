/** Whatever somebody types behind /gig digest: one clear answer, and the digest that was asked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { expectDecent, expectHealthy } from './healthy.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.slack.addUser({ name: 'gus', guest: 'multi' });
  world.slack.invite('web', 'gus');
});
afterAll(async () => {
  expectHealthy(world);
  await world.stop();
});

describe('nonsense', () => {
  it.each([
    ['digest tomorrow', /`tomorrow` names no hour[\s\S]*\/gig digest at 09:00/u],
    ['digest at 25:00', /`25:00` is no time of the day[\s\S]*\/gig digest at 09:00/u],
    ['digest 9 CET', /leaves open where[\s\S]*\/gig digest at 09:00 Europe\/Berlin/u],
    ['digest 9 UTC+25', /does not follow the clocks[\s\S]*\/gig digest at 09:00/u],
    ['digest 9 Atlantis', /know no time zone `Atlantis`[\s\S]*\/gig digest at 09:00/u],
    ['digest 9 Amsterdm', /Did you mean Europe\/Amsterdam\?[\s\S]*\/gig digest at 09:00 Europe\/Amsterdam/u],
    ['digest <!channel>', /names no hour/u],
    ['digest 9 __proto__', /know no time zone/u],
    [`digest ${'9 '.repeat(1_000)}`, /\/gig digest at 09:00/u],
    ['digest on', /names no hour/u],
    ['digest off', /has no digest[\s\S]*\/gig digest at 09:00/u],
    ['digest', /has no digest[\s\S]*\/gig digest at 09:00/u],
  ])('%# is answered with what is wrong and what would be right', async (typed, right) => {
    const answer = await world.gig('web', typed);
    expect(answer).toMatch(right);
    expectDecent(answer);
  });

  it('plans nothing', async () => {
    expect(world.slack.messages('web')).toEqual([]);
  });
});

describe('a digest', () => {
  it('is set for all to see, told when asked, and ended', async () => {
    expect(await world.gig('web', 'digest at 9am berlin')).toMatch(
      /set a digest for this channel: Monday to Friday at 09:00 Europe\/Berlin\. The first one comes /u,
    );
    expect(await world.gig('data', 'digest 9:00 new york daily')).toContain(
      'daily at 09:00 America/New_York',
    );
    expect(await world.gig('web', 'digest', 'ben')).toMatch(
      /gets a digest Monday to Friday at 09:00 Europe\/Berlin/u,
    );
    expect(world.slack.messages('web').map(wordsOf).join()).toContain('set a digest');
    expect(await world.gig('web', 'digest off', 'ben')).toContain("ended this channel's digest");
    expect(await world.gig('data', 'digest')).toContain('America/New_York');
  });

  it('asked for now comes at once, in one line, with who asked', async () => {
    const before = world.slack.messages('web').length;
    expect(await world.gig('web', 'digest now', 'ben')).toContain('on its way');
    await world.until('the digest', () => world.slack.messages('web').length > before, MINUTE);
    await world.pass(5 * SECOND);
    const [digest, ...more] = world.slack.messages('web').slice(before);
    expect(more).toEqual([]);
    expect(digest?.text).toMatch(
      /^\*Digest for [A-Z][a-z]{2} \d+ [A-Z][a-z]{2}\* \(asked for by <@U\w+>\): nothing new since .*credits.* spent; all is well\.$/u,
    );
  });

  it('is not for guests', async () => {
    const answer = await world.gig('web', 'digest at 9', 'gus');
    expect(answer).not.toContain('set a digest');
    expect(answer).toMatch(/Guests.*Nothing was done/u);
  });
});
