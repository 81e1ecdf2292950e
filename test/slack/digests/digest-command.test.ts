import { beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '../../../src/audit/audit.ts';
import { digestPlanKey, digestPlans, digestRecords } from '../../../src/digests/records.ts';
import { posts } from '../../../src/outbox/posts.ts';
import {
  digestAskedAlreadyMessage,
  digestRequestAcceptedMessage,
  noDigestMessage,
} from '../../../src/slack/digests/digest-answers.ts';
import { digestCommand } from '../../../src/slack/digests/digests.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { commandValueCodec } from '../../../src/slack/kit/command-button.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { valuesOf } from '../buttons.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { ANA, BEN, CHANNEL, TEAM } from '../samples.ts';

/** Fri Nov 20, 2026, 9:00 AM UTC. */
let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

async function type(args: string, user = ANA, timezone?: string) {
  const before = desk.shown.length;
  const call = desk.command(args, user);
  await digestCommand.run({ ...call, person: { ...call.person, ...(timezone ? { timezone } : {}) } });
  const [answer, ...more] = desk.shown.slice(before);
  if (!answer || more.length > 0) throw new Error('not one answer');
  expect(findMessageLimitProblems(answer.message)).toEqual([]);
  return { to: answer.to, text: answer.message.text };
}

/** What the buttons of the last answer would type after the command. */
function offered(): readonly (string | undefined)[] {
  return valuesOf(desk.shown.at(-1)?.message, actionIds.runDigest).map(
    (value) => commandValueCodec.read(value)?.args,
  );
}

describe('/gig digest', () => {
  it('says how to begin, in the time zone of the person', async () => {
    const { to, text } = await type('', ANA, 'America/New_York');
    expect(to).toBe('person');
    expect(text).toContain('`/gig digest at 09:00 America/New_York`');
    expect(text).toMatchSnapshot();
  });

  it('tells the channel who set it, and when the first comes in its zone', async () => {
    const set = await type('at 9am Berlin');
    expect(set.to).toBe('channel');
    const planned = await type('');
    expect(planned.to).toBe('person');
    for (const { text } of [set, planned])
      for (const fact of ['<@U0ANA>', '9:00 AM (Europe/Berlin)', 'Mon, Nov 23 at 9:00 AM (Europe/Berlin)'])
        expect(text).toContain(fact);
    expect([set, planned]).toMatchSnapshot();
  });

  it.each([
    ['17:00 Berlin', 'today', '5:00 PM'],
    ['9:00 Berlin daily', 'tomorrow', '9:00 AM'],
  ])('%s comes %s', async (typed, day, hour) => {
    const { text } = await type(typed);
    expect(text).toMatch(new RegExp(`\\b${day}\\b.*\\b${hour}\\b.*\\(Europe/Berlin\\)`, 'u'));
  });

  it('says that a zone that was stored elsewhere is not known here, and which counts', async () => {
    await type('at 9 Berlin daily');
    const key = digestPlanKey(TEAM, CHANNEL);
    await desk.services.store.transact(async (tx) => {
      const stored = await tx.get(digestPlans, key);
      if (stored) await tx.put(digestPlans, key, { ...stored, timezone: 'Mars/<!here>' });
    });
    const planned = (await type('')).text;
    expect(planned).toContain('Mars/&lt;!here&gt;');
    expect(planned).toContain('9:00 AM (UTC)');
    expect(planned).toContain('`/gig digest at 09:00 UTC weekdays`');
    const { text } = await type('at 10', BEN, 'Asia/Tokyo');
    expect(text).toMatch(/\bdaily\b.*10:00 AM \(Asia\/Tokyo\)/u);
    expect([planned, text]).toMatchSnapshot();
  });

  it('ends with the command that brings it back in a zone that is known', async () => {
    await type('at 9 Berlin');
    const key = digestPlanKey(TEAM, CHANNEL);
    await desk.services.store.transact(async (tx) => {
      const stored = await tx.get(digestPlans, key);
      if (stored) await tx.put(digestPlans, key, { ...stored, timezone: 'Mars/Olympus' });
    });
    await type('off');
    expect(offered()).toEqual(['at 09:00 UTC']);
  });

  it('changes what was said, and keeps what was not', async () => {
    await type('at 9 Berlin daily');
    const { to, text } = await type('at 10:30', BEN, 'Asia/Tokyo');
    expect(to).toBe('channel');
    for (const fact of ['<@U0BEN>', 'daily', '10:30 AM (Europe/Berlin)']) expect(text).toContain(fact);
    expect(text).toMatchSnapshot();
  });

  it('says to the person alone that nothing is different', async () => {
    await type('at 9 Berlin');
    const again = await type('at 09:00 europe/berlin weekdays', BEN);
    expect(again.to).toBe('person');
    expect(again.text).toContain('9:00 AM (Europe/Berlin)');
    expect(again.text).toMatchSnapshot();
  });

  it('takes the zone of the person, else of the channel, else of the configuration', async () => {
    desk.state.settings = { ...desk.state.settings, timezone: 'Asia/Tokyo' };
    expect((await type('at 9', ANA, 'America/New_York')).text).toContain('9:00 AM (America/New_York)');
    await type('off');
    expect((await type('at 9', ANA, 'No/Where')).text).toContain('9:00 AM (Asia/Tokyo)');
    await type('off');
    desk.state.settings = { ...desk.state.settings, timezone: 'No/Where' };
    expect((await type('at 9')).text).toContain('9:00 AM (UTC)');
  });

  it('off tells the channel who ended it, and how it begins again', async () => {
    await type('at 9 Berlin');
    const off = await type('off', BEN);
    expect(off.to).toBe('channel');
    expect(off.text).toContain('<@U0BEN>');
    expect(offered()).toEqual(['at 09:00 Europe/Berlin']);
    expect(off.text).toMatchSnapshot();
    expect(await type('off')).toEqual({ to: 'person', text: noDigestMessage('UTC').text });
  });

  it('off has a button that brings the same digest again, weekends included', async () => {
    await type('at 21:00 Berlin daily');
    await type('off');
    const [again = ''] = offered();
    expect((await type(again)).text).toMatch(/\bdaily\b.*9:00 PM \(Europe\/Berlin\)/u);
  });

  it('now posts one, which says who asked', async () => {
    const coming = { to: 'person', text: digestRequestAcceptedMessage(CHANNEL).text };
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
    await digestCommand.run({ ...desk.command('now', BEN), triggerId: 'another' });
    expect(desk.shown.at(-1)).toMatchObject({
      to: 'person',
      message: digestAskedAlreadyMessage(CHANNEL),
    });
  });

  it('plans and posts nothing where Gigdesk is not', async () => {
    desk.state.reach = { kind: 'unreachable', error: 'not_in_channel' };
    for (const typed of ['at 9', 'now']) expect((await type(typed)).text).toContain('/invite @gigdesk');
    expect(await desk.services.digests.readDigestPlan(CHANNEL)).toBeUndefined();
  });

  it.each([
    ['at 25:00', '`25:00`', '/gig digest at 09:00 UTC'],
    ['tomorrow', '`tomorrow`', '/gig digest at 09:00 UTC'],
    ['9:30 CET', '`CET`', '/gig digest at 09:30 Europe/Berlin'],
    ['9 UTC+2', '`UTC+2`', '/gig digest at 09:00 Europe/Berlin'],
    ['9 Londn', '`Londn`', '/gig digest at 09:00 Europe/London'],
    ['9 <!channel>', '`&lt;!channel&gt;`', '/gig digest at 09:00 Europe/Berlin'],
  ])('%s is answered with what is wrong and what would be right', async (typed, wrong, right) => {
    const { to, text } = await type(typed);
    expect(to).toBe('person');
    expect(text).toContain(wrong);
    expect(text).toContain(right);
    expect(text).toMatchSnapshot();
    expect(await desk.services.digests.readDigestPlan(CHANNEL)).toBeUndefined();
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
