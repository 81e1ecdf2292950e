import { describe, expect, it } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { digestPlanKey, digestPlans } from '../../src/digests/records.ts';
import { channelSettings, channelSettingsKey, defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId, ProposalId } from '../../src/ids.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { PostId } from '../../src/outbox/posts.ts';
import { Mortal } from '../mortal.ts';
import { settle } from '../pass-time.ts';
import { plainProposal } from '../plain-proposal.ts';
import { ANA, CHANNEL, TEAM } from '../slack/samples.ts';
import { DigestWorld, FRIDAY, PROFILE } from './digest-world.ts';

const iso = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString().slice(0, 16));

const news = { proposal: ProposalId.parse(900), outcomes: ['viewed' as const] };
const outcome = { team: TEAM, channel: CHANNEL, content: { kind: 'outcome' as const, news } };

async function digestsMade(world: DigestWorld) {
  const records = await world.records();
  return records.map(({ facts }) => `${iso(facts.from)} to ${iso(facts.to)}`);
}

describe('the digest of a day', () => {
  it('is posted once at its hour, however often anybody looks, and again the next day', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.ringUntil(FRIDAY - MINUTE);
    expect(await world.records()).toEqual([]);
    await world.ringUntil(FRIDAY + 3 * HOUR);
    expect(await digestsMade(world)).toEqual(['2026-11-19T08:00 to 2026-11-20T08:00']);
    await world.deliver();
    await world.ringUntil(FRIDAY + DAY + HOUR);
    expect(await digestsMade(world)).toHaveLength(2);
    expect((await world.newest()).facts.from).toBe((await world.records())[0]?.facts.to);
    expect(await world.posted('digest')).toHaveLength(2);
  });

  it.each([0, 1])('is made once when the process dies around its commit (%i)', async (after) => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.pass(HOUR);
    world.wrap = new Mortal(0, after === 1).wrap;
    world.restart();
    void world.ring();
    await world.pass(1);
    world.wrap = (store) => store;
    world.restart();
    await world.ring();
    await world.ring();
    expect(await world.posted('digest')).toHaveLength(1);
    expect(await world.records()).toHaveLength(1);
  });

  it('of two processes at once is made once', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.pass(HOUR);
    const other = world.create();
    await Promise.all([world.ring(), other.job.runIfDue(world.clock.now(), new AbortController().signal)]);
    expect(await world.posted('digest')).toHaveLength(1);
  });

  it('that was missed comes once, late, and says how many nobody got', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.ringUntil(FRIDAY);
    await world.deliver();
    await world.pass(3 * DAY + 2 * HOUR);
    world.restart();
    await world.ring();
    await world.ring();
    const { facts } = await world.newest();
    expect(facts.late).toEqual({ dueAt: FRIDAY + 3 * DAY, missed: 2 });
    expect([facts.from, facts.to]).toEqual([FRIDAY, FRIDAY + 3 * DAY + 2 * HOUR]);
    expect(await world.posted('digest')).toHaveLength(2);
  });

  it('is not made while the one before waits for Slack; the next covers both', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.ringUntil(FRIDAY + 2 * DAY + HOUR);
    expect(await world.posted('digest')).toHaveLength(1);
    await world.deliver();
    await world.ring();
    const { facts } = await world.newest();
    expect(facts.late?.missed).toBe(1);
    expect(facts.from).toBe(FRIDAY);
  });

  it('isn’t made while Slack refuses the channel, and covers that time once Slack accepts', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.followProfile({ at: FRIDAY - HOUR, error: 'is_archived' });
    await world.ringUntil(FRIDAY + DAY);
    expect(await world.records()).toEqual([]);
    await world.followProfile();
    await world.ring();
    expect((await world.newest()).facts.late).toEqual({ dueAt: FRIDAY + DAY, missed: 1 });
  });

  it('comes where one thing has stopped and another has not', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.followProfile({ at: FRIDAY - HOUR, error: 'is_archived' });
    await world.follow();
    await world.ringUntil(FRIDAY);
    expect((await world.newest()).facts.feeds).toMatchObject([
      { feed: 'outcomes', id: 301, state: 'stopped', code: 'is_archived' },
    ]);
  });

  it('waits after a start until the proposals are read, but not for ever', async () => {
    const world = new DigestWorld(FRIDAY);
    await world.plan({ minute: 541 });
    await world.followProfile();
    world.isLoaded = false;
    await world.pass(MINUTE);
    await world.ring();
    expect(await world.records()).toEqual([]);
    world.isLoaded = true;
    await world.ring();
    expect(await world.records()).toHaveLength(1);
    await world.deliver();
    await world.pass(DAY);
    world.isLoaded = false;
    await world.ring();
    expect(await world.records()).toHaveLength(2);
  });

  it('that is late waits until what was sent meanwhile is read, and counts its connects', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.followProfile();
    await world.pass(5 * HOUR);
    world.read = { readAt: FRIDAY - HOUR };
    world.restart();
    await world.ring();
    await world.pass(MINUTE);
    await world.ring();
    expect(await world.records()).toEqual([]);
    // The first pass since the start has found it.
    const sent = { submittedAt: FRIDAY + 2 * HOUR, profile: { id: PROFILE }, connects: 16 };
    world.proposals = [plainProposal(900, sent)];
    world.read = { readAt: world.clock.now() };
    await world.ring();
    expect((await world.newest()).facts).toMatchObject({
      late: { dueAt: FRIDAY },
      connects: { proposals: 1, spent: 16 },
    });
  });

  it.each([
    ['more than ten minutes', { readAt: 0 }, 11 * MINUTE],
    ['for a profile that can’t be read', { trouble: { code: 'server', since: 0, retryAt: 0 } }, 0],
  ])('that is late does not wait for proposals %s', async (_, read, ms) => {
    const world = new DigestWorld(FRIDAY + HOUR);
    await world.plan({ minute: 541 });
    await world.followProfile();
    await world.pass(DAY);
    world.read = read;
    world.restart();
    if (ms > 0) {
      await world.ring();
      expect(await world.records()).toEqual([]);
    }
    await world.pass(ms);
    await world.ring();
    expect(await world.records()).toHaveLength(1);
  });
});

describe('one that is asked for', () => {
  it('is posted once for each press, besides those by the hour', async () => {
    const world = new DigestWorld(FRIDAY + HOUR);
    await world.plan();
    await world.digests.postDigestNow(CHANNEL, ANA, 'press-1');
    await world.digests.postDigestNow(CHANNEL, ANA, 'press-1');
    await world.pass(MINUTE);
    await world.digests.postDigestNow(CHANNEL, ANA, 'press-2');
    expect(await world.posted('digest')).toHaveLength(2);
    expect((await world.newest()).facts).toMatchObject({ askedBy: ANA, timezone: 'Europe/Berlin' });
    await world.deliver();
    await world.ringUntil(FRIDAY + DAY);
    expect((await world.newest()).facts).toMatchObject({ from: FRIDAY, to: FRIDAY + DAY });
  });
});

it.each([
  ['their own zone, where the channel has none', {}, 'America/New_York', 'America/New_York'],
  ['the channel’s, where it has one', { timezone: 'Asia/Tokyo' }, 'America/New_York', 'Asia/Tokyo'],
  ['the configured one, where nothing else is known', {}, undefined, 'UTC'],
  ['the configured one, where theirs is none', {}, 'Atlantis/Nowhere', 'UTC'],
])('one that somebody asks for tells its hours in %s', async (_, settings, own, told) => {
  const world = new DigestWorld(FRIDAY + HOUR);
  await world.disk.transact(async (tx) =>
    tx.put(channelSettings, channelSettingsKey(TEAM, CHANNEL), {
      ...defaultChannelSettings(TEAM, CHANNEL),
      ...settings,
    }),
  );
  await world.digests.postDigestNow(CHANNEL, ANA, 'press', own);
  expect((await world.newest()).facts.timezone).toBe(told);
});

it('a digest anyone requests twice within a minute is posted once, even if simultaneous', async () => {
  const world = new DigestWorld(FRIDAY + HOUR);
  const ask = (press: string) => world.digests.postDigestNow(CHANNEL, ANA, press);
  expect((await Promise.all([ask('press-1'), ask('press-2')])).toSorted()).toEqual([false, true]);
  await world.pass(MINUTE - 1);
  expect(await ask('press-3')).toBe(false);
  expect(await world.posted('digest')).toHaveLength(1);
  await world.pass(1);
  expect(await ask('press-4')).toBe(true);
});

describe('the plan', () => {
  it('shows when the next one comes, is audited once per change, and can be ended', async () => {
    const world = new DigestWorld(FRIDAY + HOUR);
    expect(await world.digests.readDigestPlan(CHANNEL)).toBeUndefined();
    expect(iso((await world.plan({ days: 'weekdays' })).next)).toBe('2026-11-23T08:00');
    await world.plan({ days: 'weekdays' });
    expect(iso((await world.plan({ minute: 905 })).next)).toBe('2026-11-20T14:05');
    expect((await world.digests.readDigestPlan(CHANNEL))?.plan).toMatchObject({ minute: 905, days: 'daily' });
    expect(await world.digests.stopDigest(CHANNEL, ANA)).toBe(true);
    expect(await world.digests.stopDigest(CHANNEL, ANA)).toBe(false);
    const acts = await world.disk.read((tx) => tx.list(auditEntries, { prefix: [TEAM], limit: 10 }));
    expect(acts.map(({ value }) => value.act)).toEqual([
      { kind: 'digest', at: '09:00', days: 'weekdays', timezone: 'Europe/Berlin' },
      { kind: 'digest', at: '15:05', days: 'daily', timezone: 'Europe/Berlin' },
      { kind: 'digest' },
    ]);
    await world.ringUntil(FRIDAY + 2 * DAY);
    expect(await world.records()).toEqual([]);
  });

  it('covers what is being stored at its minute; what arrives right then comes tomorrow', async () => {
    const world = new DigestWorld(FRIDAY - MINUTE);
    await world.plan();
    await world.pass(MINUTE - 1);
    let commit = () => {};
    const durable = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const inTime = world.put(async (tx) => {
      const at = world.clock.now();
      await enqueuePost(tx, { ...outcome, id: PostId.parse('in time'), order: at, at });
      await durable;
    });
    await world.pass(1);
    const ringing = world.ring();
    await settle();
    commit();
    await Promise.all([inTime, ringing]);
    expect((await world.newest()).facts.outcomes.counts).toEqual([{ outcome: 'viewed', count: 1 }]);
    await world.enqueue('after', outcome.content);
    await world.deliver();
    await world.ringUntil(FRIDAY + DAY);
    expect(await world.records()).toHaveLength(2);
    expect((await world.newest()).facts.outcomes.counts).toEqual([{ outcome: 'viewed', count: 1 }]);
  });

  it('in a time zone unknown to this machine uses the fallback’s clock and keeps its zone', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    const key = digestPlanKey(TEAM, CHANNEL);
    const stored = await world.disk.read((tx) => tx.get(digestPlans, key));
    if (!stored) return expect.fail('no plan');
    await world.put((tx) => tx.put(digestPlans, key, { ...stored, timezone: 'Mars/Olympus' }));
    expect(await world.digests.readDigestPlan(CHANNEL)).toMatchObject({
      plan: { timezone: 'Mars/Olympus' },
      timezone: 'UTC',
      next: FRIDAY + HOUR,
    });
    await world.ringUntil(FRIDAY + 2 * HOUR);
    expect(await digestsMade(world)).toEqual(['2026-11-19T09:00 to 2026-11-20T09:00']);
    await world.digests.postDigestNow(CHANNEL, ANA, 'press');
    expect((await world.newest()).facts.timezone).toBe('UTC');
    const after = await world.disk.read((tx) => tx.get(digestPlans, key));
    expect(after).toMatchObject({ timezone: 'Mars/Olympus', lastDay: '2026-11-20' });
    expect((await world.plan()).next).toBe(FRIDAY + DAY);
    expect(world.lines.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  it('changed after the digest of today brings the next one tomorrow, as it says', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.ringUntil(FRIDAY + HOUR);
    await world.deliver();
    expect(iso((await world.plan({ minute: 900 })).next)).toBe('2026-11-21T14:00');
    await world.ringUntil(FRIDAY + DAY + 5 * HOUR);
    expect(await world.records()).toHaveLength(1);
    await world.ringUntil(FRIDAY + DAY + 6 * HOUR);
    expect((await world.newest()).facts.from).toBe(FRIDAY);
  });
});

it('old digests are cleared out as new ones come', async () => {
  const world = new DigestWorld(FRIDAY);
  await world.digests.postDigestNow(CHANNEL, ANA, 'long ago');
  await world.pass(91 * DAY);
  await world.digests.postDigestNow(CHANNEL, ANA, 'now');
  expect((await world.records()).map(({ at }) => at)).toEqual([world.clock.now()]);
});

it('the id of a requested digest, visible in Slack and the log, holds no window trigger', async () => {
  const world = new DigestWorld(FRIDAY);
  const trigger = '133.1767671829563.jkFpTxPIinOKzkQqvkgNdSlXF0knF7PP';
  await world.digests.postDigestNow(CHANNEL, ANA, trigger);
  const [id] = (await world.records()).map((record) => record.id);
  expect(id).toMatch(/^digest:[^:]+:now:/u);
  expect(id).not.toContain(trigger.slice(-32));
});

it('200 digests due at once take seconds while the marketplace hangs; setups are read once', async () => {
  const world = new DigestWorld(FRIDAY - HOUR);
  for (let n = 0; n < 200; n++) await world.plan({ channel: ChannelId.parse(`CMANY${n}`) });
  await world.pass(HOUR);
  let asked = 0;
  world.askSetups = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const ringing = world.ring();
  await world.pass(5 * SECOND);
  // No timers are left.
  await ringing;
  const late = (await world.records()).map(({ facts }) => facts.to - FRIDAY);
  expect([late.length, Math.max(...late) <= 5 * SECOND, asked]).toEqual([200, true, 1]);
});

it('many plans of which none is due keep nobody waiting while they are looked at', async () => {
  const world = new DigestWorld(FRIDAY);
  const order = { minute: 600, days: 'daily', timezone: 'Europe/Berlin', by: ANA } as const;
  for (let at = 0; at < 90; at++)
    await world.digests.planDigest({ ...order, channel: ChannelId.parse(`C0MANY${at}`) });
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await world.ring();
  isRunning = false;
  expect(turns).toBeGreaterThanOrEqual(8);
});
