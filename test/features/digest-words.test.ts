/** Any arguments after /gig digest: one clear answer, and the requested digest. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { asRead, refusalFor } from './as-read.ts';
import { expectDecent, expectHealthy } from './healthy.ts';
import { startWorld, type World } from './world.ts';

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
    ['digest tomorrow', '`tomorrow`', '/gig digest at 09:00'],
    ['digest at 25:00', '`25:00`', '/gig digest at 09:00'],
    ['digest 9 CET', 'CET', '/gig digest at 09:00 Europe/Berlin'],
    ['digest 9 UTC+25', 'UTC+25', '/gig digest at 09:00'],
    ['digest 9 Atlantis', '`Atlantis`', '/gig digest at 09:00'],
    ['digest 9 Amsterdm', '`Amsterdm`', '/gig digest at 09:00 Europe/Amsterdam'],
    ['digest <!channel>', '&lt;!channel&gt;', '/gig digest at 09:00'],
    ['digest 9 __proto__', '`__proto__`', '/gig digest at 09:00'],
    [`digest ${'9 '.repeat(1_000)}`, '9 9 9', '/gig digest at 09:00'],
    ['digest on', '`on`', '/gig digest at 09:00'],
    ['digest off', `digest`, '/gig digest at 09:00'],
    ['digest', 'digest', '/gig digest at 09:00'],
  ])('%# is answered with what is wrong and what would be right', async (typed, wrong, right) => {
    const answer = await world.gig('web', typed);
    expect(answer).toContain(wrong);
    expect(answer).toContain(right);
    expect(asRead(world, answer)).toMatchSnapshot();
    expectDecent(answer);
  });

  it('plans nothing', async () => {
    expect(world.slack.messages('web')).toEqual([]);
  });
});

describe('a digest', () => {
  it('is set for all to see, told when asked, and ended', async () => {
    const answers = [
      await world.gig('web', 'digest at 9am berlin'),
      await world.gig('data', 'digest 9:00 new york daily'),
      await world.gig('web', 'digest', 'ben'),
    ];
    for (const [at, zone] of ['Europe/Berlin', 'America/New_York', 'Europe/Berlin'].entries())
      expect(answers[at]).toContain(`9:00 AM (${zone})`);
    expect(world.slack.messages('web')).toHaveLength(1);
    answers.push(await world.gig('web', 'digest off', 'ben'));
    expect(world.slack.messages('web')).toHaveLength(2);
    expect(answers.map((it) => asRead(world, it))).toMatchSnapshot();
    expect(await world.gig('data', 'digest')).toContain('America/New_York');
  });

  it('asked for now comes at once, in one line, with who asked', async () => {
    const before = world.slack.messages('web').length;
    expect(asRead(world, await world.gig('web', 'digest now', 'ben'))).toMatchSnapshot();
    await world.until('the digest', () => world.slack.messages('web').length > before, MINUTE);
    await world.pass(5 * SECOND);
    const [digest, ...more] = world.slack.messages('web').slice(before);
    expect(more).toEqual([]);
    expect(digest?.text).toContain(`<@${world.slack.user('ben').id}>`);
    expect(digest?.text).not.toContain('\n');
    expect(asRead(world, digest?.text ?? '')).toMatchSnapshot();
  });

  it('is not for guests', async () => {
    const before = world.slack.messages('web').length;
    expect(await world.gig('web', 'digest at 9', 'gus')).toContain(refusalFor('admin', 'outsider'));
    expect(world.slack.messages('web')).toHaveLength(before);
  });
});
