import { beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '../../../src/audit/audit.ts';
import { digestPlanKey, digestPlans, digestRecords } from '../../../src/digests/records.ts';
import { posts } from '../../../src/outbox/posts.ts';
import { messageProblems } from '../../../src/slack/blocks/check-limits.ts';
import { digest } from '../../../src/slack/commands/digest.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { ANA, BEN, CHANNEL, TEAM } from '../samples.ts';

/** Fri 20 Nov 2026, 09:00 UTC. */
let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

async function type(args: string, user = ANA, timezone?: string) {
  const before = desk.shown.length;
  const call = desk.command(args, user);
  await digest.run({ ...call, person: { ...call.person, ...(timezone ? { timezone } : {}) } });
  const [answer, ...more] = desk.shown.slice(before);
  if (!answer || more.length > 0) throw new Error('not one answer');
  expect(messageProblems(answer.message)).toEqual([]);
  return { to: answer.to, text: answer.message.text };
}

describe('/gig digest', () => {
  it('says how to begin, in the time zone of the person', async () => {
    const { to, text } = await type('', ANA, 'America/New_York');
    expect(to).toBe('person');
    expect(text).toContain('This channel has no digest.');
    expect(text).toContain('`/gig digest at 09:00 America/New_York`');
  });

  it('tells the channel who set it, and when the first comes in its zone', async () => {
    expect(await type('at 9am Berlin')).toEqual({
      to: 'channel',
      text: '<@U0ANA> set a digest for this channel: Monday to Friday at 09:00 Europe/Berlin. The first one comes Mon 23 Nov at 09:00 (Europe/Berlin).',
    });
    expect((await type('')).text).toContain(
      '*This channel gets a digest Monday to Friday at 09:00 Europe/Berlin.* The next one comes Mon 23 Nov at 09:00 (Europe/Berlin). <@U0ANA> set it.',
    );
  });

  it.each([
    ['17:00 Berlin', 'today at 17:00'],
    ['9:00 Berlin daily', 'tomorrow at 09:00'],
  ])('%s comes %s', async (typed, next) => {
    expect((await type(typed)).text).toContain(`The first one comes ${next} (Europe/Berlin).`);
  });

  it('says that a zone that was stored elsewhere is not known here, and which counts', async () => {
    await type('at 9 Berlin daily');
    const key = digestPlanKey(TEAM, CHANNEL);
    await desk.services.store.transact(async (tx) => {
      const stored = await tx.get(digestPlans, key);
      if (stored) await tx.put(digestPlans, key, { ...stored, timezone: 'Mars/<!here>' });
    });
    expect((await type('')).text.split('\n')).toEqual([
      '*This channel gets a digest daily at 09:00 Mars/&lt;!here&gt;.* The next one comes tomorrow at 09:00 (UTC). <@U0ANA> set it.',
      ':warning: The time zone Mars/&lt;!here&gt; is not known here any more, so UTC counts until another is set.',
      '`/gig digest now` posts one at once, `/gig digest off` ends it, `/gig digest at 09:00 UTC weekdays` changes it.',
    ]);
    const { text } = await type('at 10', BEN, 'Asia/Tokyo');
    expect(text).toContain('daily at 10:00 Asia/Tokyo. The next one comes');
  });

  it('ends with the command that brings it back in a zone that is known', async () => {
    await type('at 9 Berlin');
    const key = digestPlanKey(TEAM, CHANNEL);
    await desk.services.store.transact(async (tx) => {
      const stored = await tx.get(digestPlans, key);
      if (stored) await tx.put(digestPlans, key, { ...stored, timezone: 'Mars/Olympus' });
    });
    expect((await type('off')).text).toContain('`/gig digest at 09:00 UTC` begins it again.');
  });

  it('changes what was said, and keeps what was not', async () => {
    await type('at 9 Berlin daily');
    expect(await type('at 10:30', BEN, 'Asia/Tokyo')).toEqual({
      to: 'channel',
      text: "<@U0BEN> changed this channel's digest: daily at 10:30 Europe/Berlin. The next one comes today at 10:30 (Europe/Berlin).",
    });
  });

  it('says to the person alone that nothing is different', async () => {
    await type('at 9 Berlin');
    const again = await type('at 09:00 europe/berlin weekdays', BEN);
    expect(again.to).toBe('person');
    expect(again.text).toContain('already; nothing was changed');
  });

  it('takes the zone of the person, else of the channel, else of the configuration', async () => {
    desk.state.settings = { ...desk.state.settings, timezone: 'Asia/Tokyo' };
    expect((await type('at 9', ANA, 'America/New_York')).text).toContain('09:00 America/New_York');
    await type('off');
    expect((await type('at 9', ANA, 'No/Where')).text).toContain('09:00 Asia/Tokyo');
    await type('off');
    desk.state.settings = { ...desk.state.settings, timezone: 'No/Where' };
    expect((await type('at 9')).text).toContain('09:00 UTC');
  });

  it('off tells the channel who ended it, and how it begins again', async () => {
    await type('at 9 Berlin');
    expect(await type('off', BEN)).toEqual({
      to: 'channel',
      text: "<@U0BEN> ended this channel's digest. `/gig digest at 09:00 Europe/Berlin` begins it again.",
    });
    expect(await type('off')).toMatchObject({ to: 'person', text: expect.stringContaining('has no digest') });
  });

  it('off names the command that brings the same digest again, weekends included', async () => {
    await type('at 21:00 Berlin daily');
    const { text } = await type('off');
    const [, again = ''] = /`\/gig digest ([^`]+)`/u.exec(text) ?? [];
    expect((await type(again)).text).toContain('daily at 21:00 Europe/Berlin');
  });

  it('now posts one, which says who asked', async () => {
    const coming = { to: 'person', text: `The digest is on its way to <#${CHANNEL}>.` };
    expect(await type('now')).toEqual(coming);
    await type('now');
    const all = await desk.services.store.read((tx) => tx.list(posts, { prefix: [TEAM], limit: 10 }));
    expect(all.map(({ value }) => [value.content.kind, value.channel])).toEqual([['digest', CHANNEL]]);
  });

  it('now tells its hours in the zone of who asked, where the channel has none', async () => {
    await type('now', BEN, 'Asia/Tokyo');
    const all = await desk.services.store.read((tx) => tx.list(digestRecords, { prefix: [TEAM], limit: 10 }));
    expect(all.map(({ value }) => value.facts.timezone)).toEqual(['Asia/Tokyo']);
  });

  it('now says so where another one was asked for a moment before', async () => {
    await type('now');
    await digest.run({ ...desk.command('now', BEN), triggerId: 'another' });
    expect(desk.shown.at(-1)).toMatchObject({
      to: 'person',
      message: { text: expect.stringContaining('less than a minute ago') },
    });
  });

  it('plans and posts nothing where Gigdesk is not', async () => {
    desk.state.reach = { kind: 'unreachable', error: 'not_in_channel' };
    for (const typed of ['at 9', 'now']) expect((await type(typed)).text).toContain('/invite @gigdesk');
    expect(await desk.services.digests.planned(CHANNEL)).toBeUndefined();
  });

  it.each([
    ['at 25:00', '`25:00` is no time of the day', '/gig digest at 09:00 UTC'],
    ['tomorrow', '`tomorrow` names no hour', '/gig digest at 09:00 UTC'],
    ['9:30 CET', 'leaves open where', '/gig digest at 09:30 Europe/Berlin'],
    ['9 UTC+2', 'does not follow the clocks', '/gig digest at 09:00 Europe/Berlin'],
    ['9 Londn', 'Did you mean Europe/London?', '/gig digest at 09:00 Europe/London'],
    ['9 <!channel>', 'I know no time zone', '/gig digest at 09:00 Europe/Berlin'],
  ])('%s is answered with what is wrong and what would be right', async (typed, wrong, right) => {
    const { to, text } = await type(typed);
    expect(to).toBe('person');
    expect(text).toContain(wrong);
    expect(text).toContain(right);
    expect(await desk.services.digests.planned(CHANNEL)).toBeUndefined();
  });

  it('what was set and ended is in the audit log, once each', async () => {
    await type('at 9 Berlin');
    await type('at 9 Berlin');
    await type('off');
    const log = await desk.services.store.read((tx) => tx.list(auditEntries, { prefix: [TEAM], limit: 10 }));
    expect(log.map(({ value }) => value.act)).toEqual([
      { kind: 'digest', at: '09:00', days: 'weekdays', timezone: 'Europe/Berlin' },
      { kind: 'digest' },
    ]);
  });
});
