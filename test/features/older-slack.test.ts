/**
 * A Slack that refuses newer blocks gets their plain form, once each. A workspace that withholds an optional
 * permission keeps the rest of Gigdesk.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { optionalScopeLosses } from '../../src/slack-scopes.ts';
import { ALL_SCOPES } from '../../src/workbench/slack/methods/all-methods.ts';
import { press } from './bidder.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

function answers(): readonly string[] {
  return world.slack.ephemerals('ada').map(wordsOf);
}

const typesOf = (name: string) => (world.slack.ephemerals(name).at(-1)?.blocks ?? []).map(({ type }) => type);

describe.each(['named', 'unnamed'] as const)('a Slack that refuses blocks, %s', (answer) => {
  it('shows every list in a plain form, once, and the same words', async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 101 });
    world.marketplace.addSetup({ id: 7, name: 'Night shift', status: 'active' });
    world.slack.refuseBlocks(['data_table', 'container'], answer);
    world.marketplace.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
    for (const jobTitle of ['Chairs', 'Tables']) world.marketplace.addProposal({ profileId: 31, jobTitle });
    await world.gig('web', 'subscribe filter 101');
    await world.gig('web', 'subscribe outcomes 31');
    await world.pass(20 * SECOND);
    world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    for (const [command, fact] of [
      ['setups', 'Sent today'],
      ['proposals', 'Tables'],
      ['audit', 'subscribed to filter 101'],
    ] as const) {
      const before = answers().length;
      expect(await world.gig('web', command)).toContain(fact);
      expect(answers()).toHaveLength(before + 1);
      expect(typesOf('ada')).not.toContain('data_table');
    }
    await world.gig('web', 'budget');
    const budget = world.slack.ephemerals('ada', 'web').at(-1);
    await press(world, 'Show Charges', { message: budget ?? expect.fail('no answer') }, 'ada');
    await world.pass(2 * SECOND);
    expect(answers().at(-1)).toContain('New projects: filter 101');
    expect(typesOf('ada')).not.toContain('data_table');
    const refusals = world.slack.failedCalls().length;
    await world.gig('web', 'audit');
    expect(world.slack.failedCalls()).toHaveLength(refusals);
    world.slack.refuseBlocks(['data_table', 'container'], answer);
    expect(await world.gig('web', 'audit')).toContain('subscribed to filter 101');
    expect(new Set(typesOf('ada'))).toEqual(new Set(['section', 'context']));
  });
});

/** The same workspace with all permissions but this one, as after a new installation. */
async function startAgainWithout(scope: string): Promise<void> {
  await world.end();
  world.slack.grantScopes(ALL_SCOPES.filter((each) => each !== scope));
  await world.restart();
}

it('works without each optional permission, and /gig status says what is lost', async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addSetup({ id: 7, name: 'Night shift', status: 'active' });
  await world.gig('web', 'subscribe filter 101');
  const optional = Object.keys(optionalScopeLosses);
  for (const [index, scope] of optional.entries()) {
    await startAgainWithout(scope);
    world.marketplace.publishProject(101);
    await world.until('its card', () => world.cards('web').length === index + 1);
    const status = await world.gig('web', 'status');
    expect(optional.filter((each) => status.includes(`\`${each}\``))).toEqual([scope]);
    await world.gig('web', 'access');
  }
});

it('never posts twice where it may not read the history', async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addSetup({ id: 7, name: 'Night shift', status: 'active' });
  await world.gig('web', 'subscribe filter 101');
  await startAgainWithout('channels:history');
  world.slack.injectFault('chat.postMessage', { kind: 'drop', when: 'after' });
  world.marketplace.publishProject(101);
  await world.until('a card whose answer is lost', () => world.cards('web').length === 1);
  world.marketplace.publishProject(101);
  await world.until('the next card', () => world.cards('web').length === 2, 30 * MINUTE);
  await world.pass(30 * MINUTE);
  expect(world.cards('web')).toHaveLength(2);
});

it('opens a form with a warning in plain text where alerts are refused', async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addSetup({ id: 7, name: 'Night shift', status: 'paused' });
  await world.gig('web', 'setups');
  world.slack.refuseBlocks(['alert']);
  await world.gig('web', 'bid ~012345678901234567 Night shift');
  await world.pass(5 * SECOND);
  const view = world.slack.view('ada');
  expect(JSON.stringify(view?.blocks)).toContain('paused');
  expect(view?.blocks.map(({ type }) => type)).not.toContain('alert');
  const refusals = world.slack.failedCalls().length;
  expect(refusals).toBeGreaterThan(0);
  await world.gig('web', 'settings', 'ben');
  const settings = world.slack.view('ben')?.blocks ?? [];
  expect(JSON.stringify(settings)).toContain('Only admins');
  expect(settings.map(({ type }) => type)).not.toContain('alert');
  world.slack.refuseBlocks([]);
  await world.gig('web', 'bid ~012345678901234567 Night shift');
  await world.pass(5 * SECOND);
  // Remembered: the next form doesn't try an alert again.
  expect(world.slack.view('ada')?.blocks.map(({ type }) => type)).not.toContain('alert');
  expect(world.slack.failedCalls()).toHaveLength(refusals);
});
