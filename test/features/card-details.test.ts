/** A card's details in a window, and what can be done with a project that was looked up. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { FAST, startWorld, type World, wordsOf } from './world.ts';

/** A job of the client's history. */
const ENDED = {
  status: 'closed',
  start_date: '2026-01-01',
  end_date: '2026-01-20',
  total_hours: 0,
  total_charge: 500,
  contractor_name: 'Ana L.',
  feedback: { score: 5, comment: 'Good' },
  feedback_to_client: { score: 5, comment: 'Good' },
  rate: { amount: 0 },
};

let world: World;
beforeEach(async () => {
  world = await startWorld(FAST);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

async function posted(seed: Parameters<World['marketplace']['publishProject']>[1]): Promise<SlackMessage> {
  const before = world.told('web').length;
  world.marketplace.publishProject(101, seed);
  await world.until('the card', () => world.told('web').length > before, MINUTE);
  await world.pass(SECOND);
  return world.cards('web').at(-1) ?? expect.fail('no card');
}

async function press(words: string, on: SlackMessage | SlackView, user = 'ben'): Promise<void> {
  const found = findPressable(on, words) ?? expect.fail(`nothing says “${words}”`);
  const at = { user, actionId: found.actionId, blockId: found.blockId };
  const place = 'ts' in on ? { ...at, message: on } : { ...at, view: on };
  if (found.kind === 'button') await world.slack.press({ ...place, value: found.value });
  else await world.slack.chooseOption({ ...place, option: found.option });
  await world.pass(SECOND);
}

const view = (user = 'ben'): SlackView => world.slack.view(user) ?? expect.fail(`no window for ${user}`);
const shown = (user = 'ben') => JSON.stringify(view(user).blocks);
const now = (it: SlackMessage) => world.slack.message('web', it.ts) ?? expect.fail('deleted');
const answerTo = (user: string) => world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');

describe('Details', () => {
  beforeEach(async () => {
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
  });

  it('open free of charge; a lookup costs one credit, once, also when two press at once', async () => {
    const card = await posted({ title: 'Rebuild our checkout' });
    const before = world.marketplace.consumedCredits().total;
    await press('Details', card);
    await press('Details', card, 'ada');
    expect(shown()).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(before);
    const lookUp = (user: string) =>
      world.slack.press({ user, view: view(user), actionId: actionIds.detailsLookUp });
    await Promise.all([lookUp('ben'), lookUp('ada')]);
    await world.pass(5 * SECOND);
    expect(shown()).toContain('*Connects*');
    expect(shown('ada')).toContain('*Connects*');
    expect(world.marketplace.consumedCredits().total).toBeLessThanOrEqual(before + 1);
    // Everyone sees the answer from then on, after a restart as well.
    await world.crash();
    await world.restart();
    await world.slack.closeView({ user: 'ben', all: true });
    await press('Details', now(card));
    expect(shown()).toContain('*Connects*');
    expect(world.slack.thread('web', card.ts)).toHaveLength(1);
  });

  it('Claim, Bid and Share work in the window', async () => {
    await world.gig('data', 'subscribe filter 999');
    world.slack.invite('data', 'ben');
    const card = await posted({ title: 'Rebuild our checkout' });
    await world.gig('web', 'access');
    await world.slack.closeView({ user: 'ada', all: true });
    await press('Details', card, 'ada');
    await press('Claim', view('ada'), 'ada');
    expect(wordsOf(now(card))).toContain(`<@${world.slack.user('ada').id}>`);
    expect(findPressable(view('ada'), 'Release')).toBeDefined();
    await press('Share', view('ada'), 'ada');
    await world.slack.submitView({ user: 'ada', values: { channel: world.slack.channel('data').id } });
    await world.until('its card', () => world.told('data').length === 1, MINUTE);
    await press('Share', view('ada'), 'ada');
    await world.slack.submitView({ user: 'ada', values: { channel: world.slack.channel('data').id } });
    await world.pass(20 * SECOND);
    expect(world.told('data')).toHaveLength(1);
    await press('Bid', view('ada'), 'ada');
    expect(world.slack.viewStack('ada')).toHaveLength(2);
    expect(shown('ada')).toContain('cover_letter');
  });

  it('tell what the team did with this client before, where the API names the client', async () => {
    const first = await posted({ title: 'First for this client' });
    await press('Skip', first);
    await world.slack.submitView({ user: 'ben', values: { reason: 'client' } });
    await world.pass(SECOND);
    const { uid, url } = world.marketplace.projects().at(-1) ?? expect.fail('no project');
    const second = await posted({
      title: 'Second for this client',
      workHistory: [{ ...ENDED, job_info: { uid, title: 'First for this client', type: 'fixed', url } }],
    });
    await press('Details', second);
    expect(shown()).not.toContain('First for this client');
    await world.slack.press({ user: 'ben', view: view(), actionId: actionIds.detailsLookUp });
    await world.pass(5 * SECOND);
    expect(shown()).toMatch(/First for this client.*skipped by/u);
    await world.slack.closeView({ user: 'ben', all: true });
    const other = await posted({ title: 'By another client', workHistory: [] });
    await press('Details', other);
    expect(shown()).not.toContain('First for this client');
  });
});

describe('a looked-up project', () => {
  it('can be claimed and shared from the answer: its card comes once, and is linked later', async () => {
    const project = world.marketplace.publishProject(101, { title: 'Rebuild our checkout' });
    await world.gig('web', `lookup ${project.ciphertext}`, 'ben');
    const answer = answerTo('ben');
    await press('Claim', answer);
    await press('Share to Channel', answer);
    await world.pass(20 * SECOND);
    expect(world.told('web')).toEqual([project.ciphertext]);
    const card = world.cards('web')[0] ?? expect.fail('no card');
    expect(wordsOf(card)).toContain(`<@${world.slack.user('ben').id}>`);
    const later = await world.gig('web', `lookup ${project.ciphertext}`, 'ada');
    expect(later).toContain('/archives/');
    expect(findPressable(answerTo('ada'), 'Share')).toBeUndefined();
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });
});
