import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import {
  claimInvitation,
  readInvitationCardData,
  releaseInvitationClaim,
} from '../../src/invitations/invitations.ts';
import { invitationPostId } from '../../src/invitations/records.ts';
import { ann, bob, channelId, InvitationWorld, START, uidOf } from './world.ts';

async function following(...channels: string[]): Promise<InvitationWorld> {
  const world = new InvitationWorld();
  await world.start();
  for (const each of channels) await world.follow(each);
  await world.passMinutes(1);
  return world;
}

describe('an invitation', () => {
  it('is posted to every channel that follows its profile within two minutes, in one request', async () => {
    const world = await following('C1', 'C2');
    const before = world.asked.length;
    world.invite('i1');
    world.invite('i2', { of: 2 });
    await world.passMinutes(2);
    expect(await world.told('C1')).toEqual(['i1']);
    expect(await world.told('C2')).toEqual(['i1']);
    expect(world.asked.length - before).toBe(1);
  });

  it('is told once, however often it is read', async () => {
    const world = await following('C1');
    world.invite('i1');
    await world.pass(3 * DAY);
    expect(await world.told('C1')).toEqual(['i1']);
    expect(await world.post(invitationPostId(channelId('C1'), uidOf('i1')))).toMatchObject({ revision: 0 });
  });

  it('that was there before is the past: known, and not told', async () => {
    const world = new InvitationWorld();
    world.invite('old', { invitedAt: START - HOUR });
    world.invite('older', { invitedAt: START - 3 * DAY });
    await world.start();
    await world.follow('C1');
    await world.pass(2 * DAY);
    expect(await world.told('C1')).toEqual([]);
    expect(await world.card('C1', 'old')).toMatchObject({ state: 'past' });
    expect(await world.card('C1', 'older')).toBeUndefined();
    expect(await world.record('old')).toBeUndefined();
  });

  it('is the past for a channel that begins to follow later', async () => {
    const world = await following('C1');
    world.invite('i1');
    await world.passMinutes(5);
    await world.follow('C2');
    world.clock.moveBy(1);
    world.invite('i2');
    await world.passMinutes(5);
    expect(await world.told('C1')).toEqual(['i1', 'i2']);
    expect(await world.told('C2')).toEqual(['i2']);
  });

  it('that came while nothing ran is told, also when the first reading was never done', async () => {
    const world = new InvitationWorld();
    await world.follow('C1');
    world.clock.moveBy(3 * HOUR);
    world.invite('i1', { invitedAt: START + HOUR });
    await world.start();
    await world.passMinutes(1);
    expect(await world.told('C1')).toEqual(['i1']);
  });

  it('that the server shows late, or dates a little back, is told all the same', async () => {
    const world = await following('C1');
    await world.passMinutes(5);
    world.invite('late', { invitedAt: START - 10 * MINUTE });
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(['late']);
  });

  it('without any date is told when it was not there at first', async () => {
    const world = new InvitationWorld();
    const undated = (uid: string) => {
      world.invite(uid);
      const {
        invitedAt: _invited,
        updatedAt: _updated,
        ...rest
      } = world.server.pop() ?? { uid, title: '', letter: '' };
      world.server.push(rest);
    };
    undated('first');
    await world.start();
    await world.follow('C1');
    await world.passMinutes(3);
    undated('second');
    await world.passMinutes(3);
    for (let month = 0; month < 7; month++) await world.leap(31 * DAY);
    expect(await world.told('C1')).toEqual(['second']);
    expect(await world.card('C1', 'second')).toMatchObject({ state: 'posted' });
  });

  it('of one organization is told where that one is followed', async () => {
    const world = new InvitationWorld();
    await world.start();
    await world.follow('C1', 1, 5);
    await world.follow('C2', 1);
    await world.passMinutes(1);
    world.invite('i5', { org: 5 });
    world.invite('i6', { org: 6 });
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(['i5']);
    expect((await world.told('C2')).sort()).toEqual(['i5', 'i6']);
  });

  it('is told once in a channel that follows both a profile and its organization', async () => {
    const world = new InvitationWorld();
    await world.start();
    await world.follow('C1', 1);
    await world.passMinutes(10);
    await world.stop();
    world.invite('i5', { org: 5 });
    world.clock.moveBy(MINUTE);
    await world.follow('C1', 1, 5);
    await world.restart();
    await world.passMinutes(5);
    expect(await world.told('C1')).toEqual(['i5']);
  });
});

describe('many invitations', () => {
  it('on many pages are all told, oldest first', async () => {
    const world = await following('C1');
    world.pageSize = 10;
    const uids = Array.from({ length: 45 }, (_, place) => `i${String(place).padStart(2, '0')}`);
    for (const uid of uids) {
      world.clock.moveBy(SECOND);
      world.invite(uid);
    }
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(uids);
  });

  it('are found by a server that tells no number of pages, or turns none', async () => {
    for (const size of [10, 100]) {
      const world = await following('C1');
      world.tellsPages = false;
      world.pageSize = size;
      for (let place = 0; place < 20; place++) world.invite(`i${place}`);
      const before = world.asked.length;
      await world.passMinutes(2);
      expect(await world.told('C1')).toHaveLength(20);
      expect(world.asked.length - before).toBeLessThan(5);
    }
  });

  it('that are known need one page and no more', async () => {
    const world = await following('C1');
    world.pageSize = 10;
    for (let place = 0; place < 30; place++) world.invite(`i${place}`);
    await world.passMinutes(4);
    const before = world.asked.length;
    await world.passMinutes(2);
    expect(world.asked.slice(before).map(({ page }) => page)).toEqual([1]);
  });
});

describe('a letter', () => {
  it('that the card shows in full stands nowhere else', async () => {
    const world = await following('C1');
    world.invite('short', { letter: `Dear  you,\n\n${'x'.repeat(250)}` });
    await world.passMinutes(2);
    expect((await world.posts('C1')).map(({ content }) => content.kind)).toEqual(['invitation']);
  });

  it('that is longer stands in the thread of its card, behind it', async () => {
    const world = await following('C1');
    world.invite('long', { letter: 'word '.repeat(100) });
    world.invite('next');
    await world.passMinutes(2);
    const posts = await world.posts('C1');
    const letter = posts.find(({ content }) => content.kind === 'invitation-letter');
    const card = posts.find(({ id }) => id === letter?.under);
    expect(card?.content).toEqual({ kind: 'invitation', invitation: 'long' });
    expect(letter?.order).toBeGreaterThan(card?.order ?? Number.POSITIVE_INFINITY);
  });
});

describe('a channel', () => {
  it('that is paused is told afterwards', async () => {
    const world = await following('C1', 'C2');
    await world.pauseChannel('C1', true);
    world.invite('i1');
    await world.pass(HOUR);
    expect(await world.told('C1')).toEqual([]);
    expect(await world.told('C2')).toEqual(['i1']);
    await world.pauseChannel('C1', false);
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(['i1']);
  });

  it('that ended and began again is told what came since', async () => {
    const world = await following('C1');
    await world.unfollow('C1');
    world.invite('between');
    await world.pass(HOUR);
    await world.follow('C1');
    await world.passMinutes(3);
    world.invite('after');
    await world.passMinutes(3);
    expect(await world.told('C1')).toEqual(['after']);
  });

  it('that begins to follow is read for at once, and then as everyone else', async () => {
    const world = await following('C1');
    const before = world.asked.length;
    await world.follow('C2');
    expect(world.asked.length - before).toBe(1);
    await world.pass(30 * SECOND);
    expect(world.asked.length - before).toBe(1);
  });

  it('that follows nothing costs no request', async () => {
    const world = new InvitationWorld();
    await world.start();
    world.invite('i1');
    await world.pass(DAY);
    expect(world.asked).toEqual([]);
  });
});

describe('a claim', () => {
  it('is one person’s until they or an admin release it, and the card shows each change', async () => {
    const world = await following('C1');
    world.invite('i1');
    await world.passMinutes(2);
    const at = [channelId('C1'), uidOf('i1')] as const;
    expect(await claimInvitation(world, ...at, { by: bob })).toEqual({ kind: 'claimed' });
    expect(await claimInvitation(world, ...at, { by: bob })).toEqual({ kind: 'claimed' });
    expect(await claimInvitation(world, ...at, { by: ann })).toMatchObject({ kind: 'held', by: bob });
    expect(await releaseInvitationClaim(world, ...at, ann, false)).toMatchObject({
      kind: 'held',
      by: bob,
    });
    expect(await world.disk.read((tx) => readInvitationCardData(tx, world.team, ...at))).toMatchObject({
      card: { claim: { by: bob } },
      invitation: { title: 'Job i1' },
      profileName: 'Profile 1',
    });
    expect(await releaseInvitationClaim(world, ...at, ann, true)).toEqual({ kind: 'released' });
    expect(await releaseInvitationClaim(world, ...at, bob, false)).toEqual({ kind: 'free' });
    expect(await world.post(invitationPostId(...at))).toMatchObject({ revision: 2 });
    expect(await claimInvitation(world, channelId('C9'), uidOf('i1'), { by: bob })).toEqual({
      kind: 'no-card',
    });
  });
});
