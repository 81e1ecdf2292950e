import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { releaseQuietHoursPosts } from '../../src/feed/quiet-hours.ts';
import {
  channelSettings,
  channelSettingsKey,
  defaultChannelSettings,
  type QuietHours,
} from '../../src/feed/records.ts';
import { channelId, InvitationWorld, team } from './world.ts';

const C1 = channelId('C1');
/** The world begins at nine. */
const MORNING: QuietHours = { from: 8 * 60, to: 10 * 60, weekends: false };

async function quietWorld(): Promise<InvitationWorld> {
  const world = new InvitationWorld();
  await world.start();
  await world.follow('C1');
  await world.disk.transact((tx) =>
    tx.put(channelSettings, channelSettingsKey(team, C1), {
      ...defaultChannelSettings(team, C1),
      quiet: MORNING,
    }),
  );
  await world.passMinutes(1);
  return world;
}

function release(world: InvitationWorld): Promise<void> {
  return releaseQuietHoursPosts({ team, store: world.disk, clock: world.clock, timezone: 'UTC' }, C1);
}

const shown = async (world: InvitationWorld) =>
  (await world.posts('C1')).map(({ content, state }) => `${content.kind} ${state}`);

describe('an invitation in quiet hours', () => {
  it('waits with its letter and with changes of its status, and comes with them in order', async () => {
    const world = await quietWorld();
    world.invite('i1', { letter: 'A long letter. '.repeat(60) });
    await world.passMinutes(3);
    world.change('i1', { status: 'Accepted' });
    await world.passMinutes(20);
    await release(world);
    const waiting = ['invitation', 'invitation-letter', 'invitation-status'];
    expect((await shown(world)).toSorted()).toEqual(waiting.map((kind) => `${kind} held`));
    await world.pass(60 * MINUTE);
    await release(world);
    expect(await shown(world)).toEqual(waiting.map((kind) => `${kind} waiting`));
  });

  it('tells changes in its thread at once where it stands already', async () => {
    const world = await quietWorld();
    await world.disk.transact((tx) => tx.delete(channelSettings, channelSettingsKey(team, C1)));
    world.invite('i1');
    await world.passMinutes(3);
    await world.deliver();
    const quiet = { ...defaultChannelSettings(team, C1), quiet: MORNING };
    await world.disk.transact((tx) => tx.put(channelSettings, channelSettingsKey(team, C1), quiet));
    world.change('i1', { status: 'Accepted' });
    await world.passMinutes(20);
    expect(await shown(world)).toContain('invitation-status waiting');
  });
});
