/** A channel that follows profiles, while Slack rejects it, and while it is paused. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { outcomeLabel } from '../../src/slack/kit/words/labels.ts';
import { asRead } from './as-read.ts';
import { allShown, expectDecentMessage } from './healthy.ts';
import { noticesAmong, noticesIn } from './notices.ts';
import { QUIET } from './quiet-proposal.ts';
import { readBidBooks } from './read-bid-books.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

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

/** A person's notice about a stopped channel. */
function stopsToldTo(user: string) {
  return noticesAmong(world.slack.directMessages(user), world, 'channel-unreachable');
}

/** How often an emoji is shown. */
function count(sign: string, words: string): number {
  return words.split(sign).length - 1;
}

/** The posted outcomes of a proposal, by its title. */
function outcomesOf(title: string): readonly string[] {
  const told = posted(world, 'outcome').filter((it) => wordsOf(it).includes(title));
  return told.map((it) => postOf(it).split(':').at(-1) ?? '');
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

/** Archives the channel; the next post detects it. */
async function shut(): Promise<void> {
  world.slack.archive('web');
  world.marketplace.addInvitation({ profileId: PROFILE, title: 'Found it out' });
  await world.pass(5 * MINUTE);
}

describe('a channel that Slack refuses', () => {
  it('stops what it follows of profiles, and whoever made it is told once by direct message', async () => {
    await follow();
    await shut();
    for (const user of ['ada', 'ben']) expect(await stopsToldTo(user)).toHaveLength(1);
    const before = asked('/invitations');
    await world.pass(HOUR);
    expect(asked('/invitations')).toBe(before);
    expect(await stopsToldTo('ben')).toHaveLength(1);
    expect((await stopsToldTo('ben')).map((it) => asRead(world, wordsOf(it)))).toMatchSnapshot();
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
    const stopped = await world.gig('web', 'list');
    expect(count(':red_circle:', stopped)).toBe(2);
    expect(asRead(world, stopped)).toMatchSnapshot();
    const ada = `<@${world.slack.user('ada').id}>`;
    const before = standing(ada).length;
    expect(asRead(world, await world.gig('web', 'pause off'))).toMatchSnapshot();
    await world.pass(10 * MINUTE);
    expect(standing(ada)).toHaveLength(before + 1);
    expect(standing('Found it out')).toHaveLength(1);
    expect(standing('Meanwhile')).toHaveLength(1);
    expect(standing('Of the past')).toEqual([]);
    const [summary, ...more] = posted(world, 'outcomes-rest').map(wordsOf);
    expect(more).toEqual([]);
    for (const counted of [`2 ${outcomeLabel('viewed')}`, `1 ${outcomeLabel('interviewed')}`])
      expect(summary).toContain(counted);
    expect(asRead(world, summary ?? '')).toMatchSnapshot();
    expect(standing('Chairs in Vue')).toEqual([]);
    expect(await world.gig('web', 'list')).not.toContain(':red_circle:');
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(5 * MINUTE);
    expect(outcomesOf('Chairs in Vue')).toEqual(['hired']);
    const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
    expect(audit.filter(({ act }) => act.kind === 'resumed')).toHaveLength(1);
  });

  it('begins again with a subscription that is made anew', async () => {
    await follow();
    await shut();
    world.slack.unarchive('web');
    expect(await world.gig('web', 'subscribe invitations 31')).toContain(`<@${world.slack.user('ada').id}>`);
    await world.pass(HOUR);
    expect(standing('Found it out')).toHaveLength(1);
    const list = await world.gig('web', 'list');
    expect([count(':large_green_circle:', list), count(':red_circle:', list)]).toEqual([1, 1]);
    expect(asRead(world, list)).toMatchSnapshot();
  });

  it('hears nothing of a profile’s trouble that began and ended meanwhile', async () => {
    await follow();
    await shut();
    const gone = world.marketplace.injectFault(
      { path: '/proposals' },
      { kind: 'answer', status: 404, json: { error: 'Profile not found' } },
      99,
    );
    await world.pass(2 * HOUR);
    gone.cancel();
    await world.pass(3 * HOUR);
    world.slack.unarchive('web');
    await world.gig('web', 'pause off');
    await world.pass(HOUR);
    for (const about of ['profile-failing', 'profile-recovered'] as const)
      expect(await noticesIn(world, about)).toEqual([]);
  });
});

describe('a pause', () => {
  it('keeps invitations back and tells outcomes on, and says both', async () => {
    await follow();
    const sent = world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Chairs in Vue', ...QUIET });
    await world.pass(5 * MINUTE);
    const said = await world.gig('web', 'pause 2h');
    expect(asRead(world, said)).toMatchSnapshot();
    const list = await world.gig('web', 'list');
    expect([count(':double_vertical_bar:', list), count(':large_green_circle:', list)]).toEqual([1, 1]);
    expect(asRead(world, list)).toMatchSnapshot();
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Meanwhile' });
    world.marketplace.updateProposal(sent.id, { isHired: true });
    await world.pass(30 * MINUTE);
    expect(standing('Meanwhile')).toEqual([]);
    expect(outcomesOf('Chairs in Vue')).toEqual(['hired']);
    await world.pass(2 * HOUR);
    expect(standing('Meanwhile')).toHaveLength(1);
  });
});
