import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { faults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { startWorld, type World, wordsOf } from './world.ts';

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
  expect(world.slack.errors()).toEqual([]);
  expect(world.marketplace.consumed().total).toBe(0);
  await world.stop();
});

/** How often a path was asked for. */
function asked(path: string): number {
  return world.marketplace.requests().filter((request) => request.path === path).length;
}

/** Presses a button of the last list that ada was shown. */
async function press(words: string): Promise<void> {
  const message = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no list');
  const found = findPressable(message, words) ?? expect.fail(`nothing says “${words}”`);
  if (found.kind !== 'button') expect.fail('no button');
  const { actionId, blockId, value } = found;
  await world.slack.press({ user: 'ada', message, actionId, blockId, value });
  await world.pass(5 * SECOND);
}

function inChannel(): string {
  return world.slack.messages('web').map(wordsOf).join('\n');
}

describe('following profiles', () => {
  it('begins by id, goes on by the names that were learned, and shows in the list', async () => {
    await world.gig('web', 'subscribe invitations 301');
    expect(inChannel()).toContain('the invitations of “Ana Larsen” (301)');
    expect(inChannel()).toContain(`<@${world.slack.user('ada').id}>`);
    await world.gig('web', 'subscribe outcomes ana larsen', 'ben');
    expect(inChannel()).toContain('the outcomes of “Ana Larsen” (301)');
    await world.gig('web', 'subscribe invitations “Ana Larsen” organization web team');
    expect(inChannel()).toContain('at “Web team” (401)');
    const list = await world.gig('web', 'list');
    expect(list).toContain('This channel follows 3 feeds');
    for (const row of [
      'Invitations of “Ana Larsen” (301)*',
      'Invitations of “Ana Larsen” (301) at “Web team” (401)*',
      'Outcomes of “Ana Larsen” (301)*',
    ])
      expect(list).toContain(row);
    expect(await world.gig('data', 'list')).toContain('follows nothing yet');
  });

  it('outlives a crash, with the names', async () => {
    await world.gig('web', 'subscribe outcomes 302');
    await world.crash();
    await world.restart();
    expect(await world.gig('web', 'list')).toContain('Outcomes of “Bo Berg” (302)');
    expect(await world.gig('web', 'subscribe outcomes bo')).toContain('already');
  });

  it('ends with a command or a button, and the audit log has all of it', async () => {
    await world.gig('web', 'subscribe invitations 301');
    await world.gig('web', 'subscribe outcomes 302');
    await world.gig('web', 'unsubscribe invitations Ana Larsen');
    expect(inChannel()).toContain('ended the subscription to the invitations of “Ana Larsen” (301)');
    await world.gig('web', 'list');
    await press('Unsubscribe');
    expect(inChannel()).toContain('ended the subscription to the outcomes of “Bo Berg” (302)');
    expect(await world.gig('web', 'list')).toContain('follows nothing yet');
    const audit = await world.gig('web', 'audit');
    expect(audit).toContain('followed the invitations of “Ana Larsen” (301)');
    expect(audit).toContain('ended the subscription to the outcomes of “Bo Berg” (302)');
  });

  it('of an unknown profile stores nothing and shows what comes near', async () => {
    await world.gig('web', 'subscribe invitations 301');
    expect(await world.gig('web', 'subscribe outcomes 999')).toContain('knows no profile 999');
    const answer = await world.gig('web', 'subscribe outcomes Anna Larson');
    expect(answer).toContain('The nearest that I know: “Ana Larsen” (301)');
    expect(answer).toContain('/gig subscribe outcomes 301');
    expect(await world.gig('web', 'list')).not.toContain('Outcomes');
  });

  it('is not begun where nothing can be posted', async () => {
    world.slack.addChannel({ name: 'closed' });
    world.slack.removeBot('closed');
    expect(await world.gig('closed', 'subscribe invitations 301')).toContain('/invite @gigdesk');
    expect(asked('/invitations')).toBe(0);
  });

  it('while the marketplace is away says so, with a reference', async () => {
    world.marketplace.fault({ path: '/invitations' }, { kind: 'answer', status: 403, json: { error: 'No' } });
    const answer = await world.gig('web', 'subscribe invitations 301');
    expect(answer).toMatch(/API token may not do this.*\n.*_ref /su);
    expect(await world.gig('web', 'list')).toContain('follows nothing yet');
  });
});

describe('a profile that is disconnected', () => {
  it('is told once, shown with what to do, goes on by itself, and is told for each profile', async () => {
    await world.gig('web', 'subscribe invitations 301');
    await world.gig('web', 'subscribe invitations 302');
    await world.pass(5 * MINUTE);
    expect((await world.gig('web', 'list')).match(/ live /gu)).toHaveLength(2);
    const gone = world.marketplace.fault(
      { path: '/invitations' },
      faults.status(404, 'Profile not found'),
      Number.POSITIVE_INFINITY,
    );
    const isTold = () => inChannel().includes('does not know this profile any more');
    await world.until('it is told', isTold, 15 * MINUTE);
    await world.pass(30 * MINUTE);
    for (const name of ['“Ana Larsen” (301)', '“Bo Berg” (302)'])
      expect(inChannel().split(`Invitations of ${name} don't come`)).toHaveLength(2);
    expect(await world.gig('web', 'list')).toMatch(/failing since .*\n.*connect it again in the dashboard/u);
    gone.cancel();
    const isOver = () => inChannel().includes('Invitations of “Ana Larsen” (301) come again');
    await world.until('it is over', isOver, 2 * HOUR);
  });
});

describe('the lists that are not documented', () => {
  it('are done without where they are not there: asked for once, not each time', async () => {
    for (let time = 0; time < 2; time++) {
      expect(await world.gig('web', 'subscribe invitations Nobody')).toContain('I know no profile');
      await world.pass(HOUR);
    }
    expect(asked('/profiles')).toBe(1);
  });

  it.each(['data', 'plural', 'bare'] as const)('are read where they are there: %s', async (lists) => {
    world.marketplace.setModes({ lists });
    await world.gig('web', 'subscribe invitations Ana Larsen organization “web team”');
    expect(inChannel()).toContain('the invitations of “Ana Larsen” (301) at “Web team” (401)');
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'subscribe filter react work');
    expect(inChannel()).toContain('all new projects of “React work” (101)');
    for (const path of ['/profiles', '/organizations', '/filters']) expect(asked(path)).toBe(1);
  });
});
