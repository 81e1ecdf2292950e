/** A project that goes away while somebody has a window of it open, and buttons of looked-up projects. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { grant, press, SETUP, viewOf, wordsOfView } from './bidder.ts';
import { FAST, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld(FAST);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ id: SETUP, name: 'Fast setup', status: 'active' });
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

async function postCard(title: string): Promise<SlackMessage> {
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
  world.marketplace.publishProject(101, { title });
  await world.until('the card', () => world.told('web').length > 0, MINUTE);
  await world.pass(SECOND);
  return world.cards('web')[0] ?? expect.fail('no card');
}

/** What only this person reads. */
const told = (user: string): readonly string[] =>
  [...world.slack.ephemerals(user), ...world.slack.directMessages(user)].map(wordsOf);

it('a lookup of a deleted project says so in its window, which goes on working', async () => {
  const card = await postCard('Rebuild our checkout');
  await press(world, 'Details', { message: card }, 'ben');
  await world.pass(SECOND);
  world.marketplace.injectFault({ path: /project/iu }, presetFaults.status(404, 'Project not found'));
  await press(world, 'Look Up', { view: viewOf(world, 'ben') }, 'ben');
  await world.pass(5 * SECOND);
  expect(wordsOfView(viewOf(world, 'ben'))).toContain('Rebuild our checkout');
  expect(wordsOfView(viewOf(world, 'ben'))).not.toContain('*Connects*');
  expect(world.marketplace.consumedCredits().total).toBeLessThanOrEqual(1);
  await press(world, 'Claim', { view: viewOf(world, 'ben') }, 'ben');
  await world.pass(SECOND);
  const now = world.slack.message('web', card.ts) ?? expect.fail('no card');
  expect(wordsOf(now)).toContain(`<@${world.slack.user('ben').id}>`);
});

/** Lets the records of the card run out, by age. */
async function forgetCard(): Promise<void> {
  world.clock.moveBy(91 * DAY);
  world.marketplace.publishProject(101, { title: 'A new one' });
  await world.pass(10 * MINUTE);
}

it.each([
  ['Skip', { reason: 'client' }],
  ['Assign', {}],
])('%s in a window whose card went away says so once, and changes nothing', async (choice, values) => {
  const card = await postCard('Rebuild our checkout');
  await press(world, choice, { message: card }, 'ben');
  await world.pass(SECOND);
  const field = viewOf(world, 'ben').blocks.find(({ block_id }) => block_id.startsWith('assignee'))?.block_id;
  const filled = field ? { [field]: world.slack.user('ada').id } : values;
  await forgetCard();
  const before = { ben: told('ben').length, ada: told('ada').length };
  await world.slack.submitView({ user: 'ben', values: filled });
  await world.pass(5 * SECOND);
  expect({ ben: told('ben').length, ada: told('ada').length }).toEqual({ ...before, ben: before.ben + 1 });
  expect(wordsOf(world.slack.message('web', card.ts) ?? expect.fail('no card'))).not.toContain('<@');
});

it('Claim in the details of a card that went away says so once, and changes nothing', async () => {
  const card = await postCard('Rebuild our checkout');
  await press(world, 'Details', { message: card }, 'ben');
  await world.pass(SECOND);
  await forgetCard();
  const before = told('ben').length;
  await press(world, 'Claim', { view: viewOf(world, 'ben') }, 'ben');
  await world.pass(5 * SECOND);
  expect(told('ben')).toHaveLength(before + 1);
  expect(wordsOf(world.slack.message('web', card.ts) ?? expect.fail('no card'))).not.toContain('<@');
});

it('the message shortcut’s answer bids, claims and shares; the next one links the card', async () => {
  await grant(world, ['ben']);
  const project = world.marketplace.publishProject(101, { title: 'Rebuild our checkout' });
  const message = world.slack.postAsUser({ user: 'ada', channel: 'web', text: `Look: ${project.url}` });
  const lookUp = async (user: string) => {
    await world.slack.messageShortcut({ user, message, callbackId: 'look_up_project' });
    await world.pass(5 * SECOND);
    return world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');
  };
  const answer = await lookUp('ben');
  expect(wordsOf(answer)).toContain('Rebuild our checkout');
  await press(world, 'Bid', { message: answer }, 'ben');
  await world.pass(SECOND);
  expect(wordsOfView(viewOf(world, 'ben'))).toContain('Rebuild our checkout');
  await world.slack.closeView({ user: 'ben', all: true });
  await press(world, 'Share to Channel', { message: answer }, 'ben');
  await press(world, 'Claim', { message: answer }, 'ben');
  await world.pass(20 * SECOND);
  expect(world.told('web')).toEqual([project.ciphertext]);
  const card = world.cards('web')[0] ?? expect.fail('no card');
  expect(wordsOf(card)).toContain(`<@${world.slack.user('ben').id}>`);
  const later = wordsOf(await lookUp('ada'));
  expect(later).toContain(`/p${card.ts.replace('.', '')}`);
  expect(world.marketplace.consumedCredits().total).toBe(1);
});
