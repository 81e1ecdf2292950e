import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { claimInvitation } from '../../src/invitations/invitations.ts';
import { invitationPostId } from '../../src/invitations/records.ts';
import { PostId } from '../../src/outbox/posts.ts';
import { ann, channelId, InvitationWorld, START, uidOf } from './world.ts';

async function toldOf(uid: string, ...channels: string[]): Promise<InvitationWorld> {
  const world = new InvitationWorld();
  await world.start();
  for (const each of channels) await world.follow(each);
  await world.passMinutes(1);
  world.invite(uid);
  await world.passMinutes(2);
  return world;
}

const cardOf = (where: string, uid: string) => invitationPostId(channelId(where), uidOf(uid));

describe('a change of an invitation', () => {
  it('of its status shows on every card and is told once in every thread', async () => {
    const world = await toldOf('i1', 'C1', 'C2');
    world.change('i1', { status: 'Accepted' });
    await world.pass(2 * DAY);
    for (const each of ['C1', 'C2']) {
      expect(await world.statuses(each)).toEqual(['Job i1: Pending > Accepted']);
      expect(await world.post(cardOf(each, 'i1'))).toMatchObject({ revision: 1 });
      const line = (await world.posts(each)).find(({ content }) => content.kind === 'invitation-status');
      expect(line?.under).toBe(cardOf(each, 'i1'));
    }
    expect(await world.record('i1')).toMatchObject({ status: 'Accepted' });
  });

  it('back and forth is told each time, in order', async () => {
    const world = await toldOf('i1', 'C1');
    for (const status of ['Accepted', 'Pending', 'Accepted']) {
      world.change('i1', { status });
      await world.passMinutes(2);
    }
    expect(await world.statuses('C1')).toEqual([
      'Job i1: Pending > Accepted',
      'Job i1: Accepted > Pending',
      'Job i1: Pending > Accepted',
    ]);
  });

  it('of its title or date shows on the card, and its thread stays as it is', async () => {
    const world = await toldOf('i1', 'C1');
    world.change('i1', { title: 'Another title' });
    await world.passMinutes(2);
    expect(await world.record('i1')).toMatchObject({ title: 'Another title', updatedAt: START + 180_000 });
    expect(await world.post(cardOf('C1', 'i1'))).toMatchObject({ revision: 1 });
    expect(await world.posts('C1')).toHaveLength(1);
  });

  it('to a letter that the card can’t hold puts it into the thread', async () => {
    const world = await toldOf('i1', 'C1');
    world.change('i1', { letter: 'word '.repeat(100) });
    await world.passMinutes(2);
    world.change('i1', { letter: 'other '.repeat(100) });
    await world.passMinutes(2);
    const letters = (await world.posts('C1')).filter(({ content }) => content.kind === 'invitation-letter');
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ revision: 1, under: cardOf('C1', 'i1') });
  });

  it('keeps who has claimed it', async () => {
    const world = await toldOf('i1', 'C1');
    await claimInvitation(world, channelId('C1'), uidOf('i1'), { by: ann });
    world.change('i1', { status: 'Declined' });
    await world.passMinutes(2);
    expect(await world.card('C1', 'i1')).toMatchObject({ claim: { by: ann } });
  });

  it('that an older answer tells is none; what an answer leaves out stays', async () => {
    const world = await toldOf('i1', 'C1');
    world.change('i1', { status: 'Accepted', letter: '', title: '' });
    await world.passMinutes(2);
    world.change('i1', { status: 'Pending', updatedAt: START });
    await world.passMinutes(2);
    expect(await world.record('i1')).toMatchObject({
      status: 'Accepted',
      title: 'Job i1',
      letter: 'We would like to work with you.',
    });
    expect(await world.statuses('C1')).toHaveLength(1);
  });

  it('of an old one is found by the daily sweep, within 60 days', async () => {
    const world = await toldOf('i0', 'C1');
    world.pageSize = 10;
    for (let place = 1; place <= 35; place++) {
      world.clock.moveBy(1_000);
      world.invite(`i${place}`);
    }
    await world.passMinutes(5);
    world.change('i0', { status: 'Accepted' });
    await world.pass(23 * HOUR);
    expect(await world.statuses('C1')).toEqual([]);
    await world.pass(2 * HOUR);
    expect(await world.statuses('C1')).toEqual(['Job i0: Pending > Accepted']);
    expect((await world.sync())?.sweepPage).toBeUndefined();
  });

  it('is found by a sweep that a restart cut off', async () => {
    const world = await toldOf('i0', 'C1');
    world.pageSize = 10;
    for (let place = 1; place <= 35; place++) {
      world.clock.moveBy(1_000);
      world.invite(`i${place}`);
    }
    await world.passMinutes(5);
    world.change('i0', { status: 'Accepted' });
    while ((await world.sync())?.sweepPage !== 3) await world.pass(10_000);
    await world.restart();
    const before = world.asked.length;
    await world.passMinutes(1);
    expect(world.asked.slice(before).map(({ page }) => page)).not.toContain(2);
    expect(await world.statuses('C1')).toHaveLength(1);
  });
});

describe('what is old', () => {
  it('is cleared out after 90 days, and not told again while the server still shows it', async () => {
    const world = await toldOf('i1', 'C1');
    await world.deliver();
    await world.leap(60 * DAY);
    expect(await world.record('i1')).toBeDefined();
    await world.leap(31 * DAY);
    await world.leap(DAY);
    expect(await world.record('i1')).toBeUndefined();
    expect(await world.card('C1', 'i1')).toBeUndefined();
    expect(await world.post(PostId.parse('invitation:C1:i1'))).toBeUndefined();
    await world.leap(DAY);
    expect(await world.told('C1')).toEqual([]);
  });

  it('stays while somebody has claimed it lately', async () => {
    const world = await toldOf('i1', 'C1');
    await world.deliver();
    await world.leap(60 * DAY);
    await claimInvitation(world, channelId('C1'), uidOf('i1'), { by: ann });
    await world.leap(60 * DAY);
    expect(await world.record('i1')).toBeDefined();
  });

  it('stays while its message still waits to be sent', async () => {
    const world = await toldOf('i1', 'C1');
    await world.leap(95 * DAY);
    await world.leap(DAY);
    expect(await world.record('i1')).toBeDefined();
    expect(await world.told('C1')).toEqual(['i1']);
  });
});
