import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { asRead, failureText } from './as-read.ts';
import { buttonsOf, unsubscribe } from './buttons.ts';
import { readBidBooks } from './read-bid-books.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  const { marketplace } = world;
  marketplace.addProfile({ id: 301, label: 'Ana Larsen', type: 'agency' });
  marketplace.addProfile({ id: 302, label: 'Bo Berg' });
  marketplace.addOrganization({ id: 401, label: 'Web team' });
  marketplace.addInvitation({ profileId: 301, organizationId: 401 });
  marketplace.addProposal({ profileId: 302, organizationId: 401 });
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  expect(world.marketplace.consumedCredits().total).toBe(0);
  await world.stop();
});

/** How often a path was requested. */
function asked(path: string): number {
  return world.marketplace.requests().filter((request) => request.path === path).length;
}

function inChannel(): string {
  return world.slack.messages('web').map(wordsOf).join('\n');
}

/** Public answers to commands and presses; not invitations and notices. */
function answers(): readonly string[] {
  const said = world.slack.messages('web').filter((it) => /^(?:announcement:.*)?$/u.test(postOf(it)));
  return said.map(wordsOf);
}

function newest(): string | undefined {
  return answers().at(-1);
}

/** The profile options in ada's latest list that can be stopped. */
function listed(channel = 'web'): readonly unknown[] {
  const message = world.slack.ephemerals('ada', channel).at(-1) ?? expect.fail('no list');
  return buttonsOf(message, actionIds.profileFeedEnd).map(({ value }) => JSON.parse(value));
}

describe('following profiles', () => {
  it('begins by id, goes on by the names that were learned, and shows in the list', async () => {
    await world.gig('web', 'subscribe invitations 301');
    expect(inChannel()).toContain('“Ana Larsen” (301)');
    expect(inChannel()).toContain(`<@${world.slack.user('ada').id}>`);
    await world.gig('web', 'subscribe outcomes ana larsen', 'ben');
    expect(newest()).toContain('“Ana Larsen” (301)');
    await world.gig('web', 'subscribe invitations “Ana Larsen” organization web team');
    expect(inChannel()).toContain('“Web team” (401)');
    const list = await world.gig('web', 'list');
    expect(listed()).toMatchObject([
      { feed: 'invitations', profile: 301 },
      { feed: 'invitations', profile: 301, organization: 401 },
      { feed: 'outcomes', profile: 301 },
    ]);
    expect(answers().map((it) => asRead(world, it))).toMatchSnapshot();
    expect(asRead(world, list)).toMatchSnapshot();
    expect(await world.gig('data', 'list')).toContain('Set Up Channel');
    expect(listed('data')).toEqual([]);
  });

  it('outlives a crash, with the names', async () => {
    await world.gig('web', 'subscribe outcomes 302');
    await world.crash();
    await world.restart();
    expect(await world.gig('web', 'list')).toContain('“Bo Berg” (302)');
    expect(listed()).toMatchObject([{ feed: 'outcomes', profile: 302 }]);
    const posts = world.slack.messages('web').length;
    expect(asRead(world, await world.gig('web', 'subscribe outcomes bo'))).toMatchSnapshot();
    expect(world.slack.messages('web')).toHaveLength(posts);
  });

  it('ends with a button, and the audit log has all of it', async () => {
    await world.gig('web', 'subscribe invitations 301');
    await world.gig('web', 'subscribe outcomes 302');
    await unsubscribe(world, 'web', 'Ana Larsen');
    expect(newest()).toContain('“Ana Larsen” (301)');
    await unsubscribe(world, 'web', '302');
    expect(newest()).toContain('“Bo Berg” (302)');
    expect(answers().map((it) => asRead(world, it))).toMatchSnapshot();
    await world.gig('web', 'list');
    expect(listed()).toEqual([]);
    expect(asRead(world, await world.gig('web', 'audit'))).toMatchSnapshot();
    const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
    expect(audit.filter(({ act }) => act.kind === 'followed')).toHaveLength(2);
    expect(audit.filter(({ act }) => act.kind === 'unfollowed')).toHaveLength(2);
  });

  it('of an unknown profile stores nothing and shows what comes near', async () => {
    await world.gig('web', 'subscribe invitations 301');
    const unknown = await world.gig('web', 'subscribe outcomes 999');
    expect(unknown).toContain('999');
    const answer = await world.gig('web', 'subscribe outcomes Anna Larson');
    expect(answer).toContain('“Ana Larsen” (301)');
    expect([unknown, answer].map((it) => asRead(world, it))).toMatchSnapshot();
    expect(answer).toContain('/gig subscribe outcomes 301');
    await world.gig('web', 'list');
    expect(listed()).toMatchObject([{ feed: 'invitations' }]);
  });

  it('is not begun where nothing can be posted', async () => {
    world.slack.addChannel({ name: 'closed' });
    world.slack.removeBot('closed');
    expect(await world.gig('closed', 'subscribe invitations 301')).toContain('/invite @gigdesk');
    expect(asked('/invitations')).toBe(0);
  });

  it('while the marketplace is away says so, with a reference', async () => {
    world.marketplace.injectFault(
      { path: '/invitations' },
      { kind: 'answer', status: 403, json: { error: 'No' } },
    );
    const answer = await world.gig('web', 'subscribe invitations 301');
    const refused = new MarketplaceError('forbidden', 'none', 'No', { serverMessage: 'No' });
    expect(answer).toContain(failureText(refused));
    expect(answer).toContain('_ref ');
    await world.gig('web', 'list');
    expect(listed()).toEqual([]);
  });
});

describe('a profile that is disconnected', () => {
  it('is told once, shown with what to do, goes on by itself, and is told for each profile', async () => {
    await world.gig('web', 'subscribe invitations 301');
    await world.gig('web', 'subscribe invitations 302');
    await world.pass(5 * MINUTE);
    expect((await world.gig('web', 'list')).split(':large_green_circle:')).toHaveLength(3);
    const gone = world.marketplace.injectFault(
      { path: '/invitations' },
      presetFaults.status(404, 'Profile not found'),
      Number.POSITIVE_INFINITY,
    );
    const notices = (of: 'failing' | 'recovered') => {
      const ofProfiles = posted(world, 'notice').filter((it) => postOf(it).includes(':profile-'));
      return ofProfiles
        .filter((it) => postOf(it).includes(':profile-recovered:') === (of === 'recovered'))
        .map(wordsOf);
    };
    await world.until('it is told', () => notices('failing').length > 0, 15 * MINUTE);
    await world.pass(30 * MINUTE);
    for (const name of ['“Ana Larsen” (301)', '“Bo Berg” (302)'])
      expect(notices('failing').filter((it) => it.includes(name))).toHaveLength(1);
    const list = await world.gig('web', 'list');
    expect(list.split(':warning:')).toHaveLength(3);
    expect([...notices('failing'), list].map((it) => asRead(world, it))).toMatchSnapshot();
    gone.cancel();
    const isOver = () => notices('recovered').some((it) => it.includes('“Ana Larsen” (301)'));
    await world.until('it is over', isOver, 2 * HOUR);
  });
});

describe('the lists that are not documented', () => {
  it('are done without where they are not there: asked for once, not each time', async () => {
    for (let time = 0; time < 2; time++) {
      expect(asRead(world, await world.gig('web', 'subscribe invitations Nobody'))).toMatchSnapshot();
      await world.pass(HOUR);
    }
    expect(asked('/profiles')).toBe(1);
  });

  it.each(['data', 'plural', 'bare'] as const)('are read where they are there: %s', async (lists) => {
    world.marketplace.setModes({ lists });
    await world.gig('web', 'subscribe invitations Ana Larsen organization “web team”');
    for (const name of ['“Ana Larsen” (301)', '“Web team” (401)']) expect(inChannel()).toContain(name);
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'subscribe filter react work');
    expect(inChannel()).toContain('“React work” (101)');
    for (const path of ['/profiles', '/organizations', '/filters']) expect(asked(path)).toBe(1);
  });
});
