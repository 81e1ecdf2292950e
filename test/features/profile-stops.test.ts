/** A channel that follows profiles, while Slack refuses it, and while it is paused. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { allShown, expectDecentMessage } from './healthy.ts';
import { QUIET } from './quiet-proposal.ts';
import { startWorld, type World, wordsOf } from './world.ts';

const PROFILE = 31;

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
});
afterEach(async () => {
  allShown(world).forEach(expectDecentMessage);
  await world.stop();
});

function standing(words: string | RegExp) {
  return world.slack
    .messages('web')
    .map(wordsOf)
    .filter((it) => it.match(words));
}

function toldTo(user: string): string {
  return world.slack.directMessages(user).map(wordsOf).join('\n');
}

function asked(path: string): number {
  return world.marketplace.requests().filter((request) => request.path === path).length;
}

async function follow(): Promise<void> {
  world.marketplace.addInvitation({ profileId: PROFILE, title: 'Of the past' });
  await world.pass(MINUTE);
  await world.gig('web', 'subscribe invitations 31', 'ben');
  await world.gig('web', 'subscribe outcomes 31');
  await world.pass(5 * MINUTE);
}

/** The channel is archived, and the next post finds it out. */
async function shut(): Promise<void> {
  world.slack.archive('web');
  world.marketplace.addInvitation({ profileId: PROFILE, title: 'Found it out' });
  await world.pass(5 * MINUTE);
}

describe('a channel that Slack refuses', () => {
  it('stops what it follows of profiles, and whoever made it is told once by direct message', async () => {
    await follow();
    await shut();
    for (const user of ['ada', 'ben']) expect(toldTo(user).split('it is archived')).toHaveLength(2);
    const before = asked('/invitations');
    await world.pass(HOUR);
    expect(asked('/invitations')).toBe(before);
    expect(toldTo('ben').split('it is archived')).toHaveLength(2);
  });

  it('says so in its list, and has all of it again after a resume, told once', async () => {
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs in Vue', ...QUIET });
    const other = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Tables', ...QUIET });
    await world.pass(5 * MINUTE);
    await shut();
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Meanwhile' });
    world.marketplace.updateProposal(sent.id, { isViewed: true });
    await world.pass(5 * MINUTE);
    world.marketplace.updateProposal(sent.id, { isInterviewed: true });
    world.marketplace.updateProposal(other.id, { isViewed: true });
    await world.pass(30 * MINUTE);
    await world.crash();
    world.slack.unarchive('web');
    await world.restart();
    expect((await world.gig('web', 'list')).match(/stopped: it is archived/gu)).toHaveLength(2);
    await world.gig('web', 'resume');
    await world.pass(10 * MINUTE);
    expect(standing(/what it follows comes again/u)).toHaveLength(1);
    expect(standing('Found it out')).toHaveLength(1);
    expect(standing('Meanwhile')).toHaveLength(1);
    expect(standing('Of the past')).toEqual([]);
    const [summary, ...more] = standing(/could not post here/u);
    expect(more).toEqual([]);
    expect(summary).toMatch(/2 viewed, 1 interviewed/u);
    expect(standing('Chairs in Vue')).toEqual([]);
    expect(await world.gig('web', 'list')).not.toContain('stopped');
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(5 * MINUTE);
    expect(standing(/Hired: Chairs in Vue/u)).toHaveLength(1);
    expect((await world.gig('web', 'audit')).match(/resumed/gu)).toHaveLength(1);
  });

  it('begins again with a subscription that is made anew', async () => {
    await follow();
    await shut();
    world.slack.unarchive('web');
    expect(await world.gig('web', 'subscribe invitations 31')).toContain('subscribed this channel');
    await world.pass(HOUR);
    expect(standing('Found it out')).toHaveLength(1);
    const list = await world.gig('web', 'list');
    expect(list).toMatch(/Invitations of “Ana Webb”.*\n.*live/u);
    expect(list).toMatch(/Outcomes of “Ana Webb”.*\n.*stopped/u);
  });

  it('hears nothing of a profile’s trouble that began and ended meanwhile', async () => {
    await follow();
    await shut();
    const gone = world.marketplace.fault(
      { path: '/proposals' },
      { kind: 'answer', status: 404, json: { error: 'Profile not found' } },
      99,
    );
    await world.pass(2 * HOUR);
    gone.cancel();
    await world.pass(3 * HOUR);
    world.slack.unarchive('web');
    await world.gig('web', 'resume');
    await world.pass(HOUR);
    expect(standing(/don't come|come again\.\*/u)).toEqual([]);
  });
});

describe('a pause', () => {
  it('keeps invitations back and tells outcomes on, and says both', async () => {
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs in Vue', ...QUIET });
    await world.pass(5 * MINUTE);
    const said = await world.gig('web', 'pause 2h');
    expect(said).toMatch(/new projects and invitations/u);
    expect(said).toMatch(/What becomes of proposals is still told/u);
    const list = await world.gig('web', 'list');
    expect(list).toMatch(/Invitations of “Ana Webb”.*\n.*paused by/u);
    expect(list).toMatch(/Outcomes of “Ana Webb”.*\n.*live/u);
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Meanwhile' });
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(30 * MINUTE);
    expect(standing('Meanwhile')).toEqual([]);
    expect(standing(/Hired: Chairs in Vue/u)).toHaveLength(1);
    await world.pass(2 * HOUR);
    expect(standing('Meanwhile')).toHaveLength(1);
  });
});
