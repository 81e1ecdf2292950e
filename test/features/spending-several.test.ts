/** Several approvals at once: each exactly as shown, each through the same rules. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { begin } from './begin-bid.ts';
import {
  addSlowSetup,
  approvals,
  cardOf,
  grant,
  OTHER_SETUP,
  openBid,
  press,
  submitBid,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { HomeAtHand } from './home-desk.ts';
import { setRules } from './spending-rules.ts';
import { postOf, type World } from './world.ts';

/** Ben's bids on several projects, all of which wait for review. */
async function ask(
  amounts: readonly string[],
  rules: Readonly<Record<string, string>> = {},
  letters: readonly string[] = [],
) {
  const { bid, world } = await begin({ reviews: true });
  await grant(world, ['ben']);
  const projects: ProjectWithFilterIds[] = [bid.project];
  while (projects.length < amounts.length) {
    world.clock.moveBy(SECOND);
    const budget = { type: 'fixed' as const, fixedAmount: 700 };
    const title = `Project ${projects.length}`;
    projects.push(world.marketplace.publishProject(101, { title, usOnly: false, ukOnly: false, budget }));
  }
  await world.until(
    'the cards',
    () => projects.every((it) => world.told('web').includes(it.ciphertext)),
    5 * MINUTE,
  );
  for (const [place, project] of projects.entries()) {
    await openBid(world, project);
    await submitBid(world, 'ben', {
      bid_amount: amounts[place] ?? '100',
      ...(letters[place] ? { cover_letter: letters[place] } : {}),
    });
    await world.slack.closeView({ user: 'ben', all: true });
  }
  if (Object.keys(rules).length > 0) await setRules(world, rules);
  return { bid, world, projects };
}

function requestOf(world: World, project: ProjectWithFilterIds): SlackMessage {
  const all = world.slack.thread('web', cardOf(world, project).ts);
  return all.findLast((it) => postOf(it).startsWith('approval-request:')) ?? expect.fail('no request');
}

/** Opens the window at the newest request, and checks some. */
async function choose(world: World, project: ProjectWithFilterIds, places: readonly string[], user = 'ada') {
  await press(world, 'Review All', { message: requestOf(world, project) }, user);
  await world.pass(2 * SECOND);
  const view = viewOf(world, user);
  await world.slack.chooseOption({ user, view, actionId: 'review_all_choice', option: places });
  await world.pass(2 * SECOND);
  return viewOf(world, user);
}

describe('several at once', () => {
  it('approves what is checked, with a result for each, and counts it on the button', async () => {
    const { world, projects } = await ask(['100', '200', '300']);
    const last = projects.at(-1) ?? expect.fail('no project');
    const view = await choose(world, last, ['0', '2']);
    expect(view.submit).toBe('Approve 2 of 3');
    for (const part of ['$100', '$200', '$300']) expect(wordsOfView(view)).toContain(part);
    await world.slack.submitView({ user: 'ada', values: { approve: ['0', '2'] } });
    await world.pass(20 * SECOND);
    expect(approvals(world)).toHaveLength(2);
    const words = wordsOfView(viewOf(world, 'ada'));
    expect(words.match(/is approved/gu)).toHaveLength(2);
    expect(await world.gig('web', 'audit')).toContain('approved 2 of 3 waiting bids at once');
    await world.pass(HOUR, MINUTE);
    expect(approvals(world)).toHaveLength(2);
  });

  it('offers only what it shows to the end', async () => {
    const letter = `${'Long and thorough. '.repeat(120)}The last words.`;
    const { world, projects } = await ask(['100', '200'], {}, ['', letter]);
    const last = projects.at(-1) ?? expect.fail('no project');
    const view = await choose(world, last, ['0']);
    expect(view.submit).toBe('Approve 1 of 1');
    expect(wordsOfView(view)).toContain('$100');
    expect(wordsOfView(view)).not.toContain('Long and thorough');
    expect(wordsOfView(view)).toContain('1 bid is too long');
  });

  it("shows the letter that a setup's template sends, also while it can't be read again", async () => {
    const { bid, world } = await begin({ reviews: true });
    addSlowSetup(world, { letter: 'We have built forty shops.', reviewsJobs: true });
    const other = world.marketplace.publishProject(101, { title: 'Other', usOnly: false, ukOnly: false });
    await world.pass(6 * MINUTE);
    for (const project of [bid.project, other]) {
      await openBid(world, project);
      await submitBid(world, 'ben', { setup: String(OTHER_SETUP) });
      await world.slack.closeView({ user: 'ben', all: true });
    }
    const view = await choose(world, other, ['0']);
    expect(view.submit).toBe('Approve 1 of 2');
    expect(wordsOfView(view).match(/We have built forty shops\./gu)).toHaveLength(2);
    world.marketplace.injectFault({ path: /templates/u }, { kind: 'drop', when: 'before' }, 9);
    await world.pass(6 * MINUTE);
    const again = await choose(world, other, ['1']);
    expect(wordsOfView(again).match(/We have built forty shops\./gu)).toHaveLength(2);
    await world.slack.submitView({ user: 'ada', values: { approve: ['0', '1'] } });
    await world.pass(20 * SECOND);
    expect(approvals(world)).toHaveLength(2);
  });

  it('sends each through the same rules: second approval, cancel window, cap', async () => {
    const { world, projects } = await ask(['100', '600', '100'], {
      'second-amount': '500',
      'cancel-window': '30',
    });
    const last = projects.at(-1) ?? expect.fail('no project');
    await choose(world, last, ['0', '1', '2']);
    await world.slack.submitView({ user: 'ada', values: { approve: ['0', '1', '2'] } });
    await world.pass(10 * SECOND);
    expect(approvals(world)).toEqual([]);
    await world.pass(MINUTE);
    expect(approvals(world)).toHaveLength(2);
    await grant(
      world,
      ['ben', 'cem'].filter((name) => name === 'ben'),
    );
    const home = new HomeAtHand(world);
    await home.open('ben');
    expect(approvals(world)).toHaveLength(2);
  });

  it('approves nothing that has changed since, and is refused with nothing checked', async () => {
    const { bid, world, projects } = await ask(['100', '200']);
    const last = projects.at(-1) ?? expect.fail('no project');
    const view = await choose(world, last, ['0', '1']);
    const none = await world.slack.submitView({ user: 'ada', view, values: { approve: [] } });
    expect(Object.keys(none.errors ?? {})).toEqual(['approve']);
    const [first] = (await bid.books()).jobs;
    world.marketplace.updateJob(first?.id ?? 0, { scheduledAt: world.clock.now() + 9 * HOUR });
    await world.slack.submitView({ user: 'ada', view, values: { approve: ['0', '1'] } });
    await world.pass(20 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    expect(wordsOfView(viewOf(world, 'ada'))).toContain('changed');
  });

  it('is offered on Home, and shows nothing to people who may not approve', async () => {
    const { world, projects } = await ask(['100', '200']);
    const home = new HomeAtHand(world);
    await home.open('ada');
    await home.press('ada', 'Review All');
    await world.pass(2 * SECOND);
    expect(viewOf(world, 'ada').submit).toBe('Approve 0 of 2');
    world.slack.addUser({ name: 'vic' });
    const last = projects.at(-1) ?? expect.fail('no project');
    const request = requestOf(world, last);
    expect(findPressable(request, 'Review All')).toBeDefined();
    await press(world, 'Review All', { message: request }, 'vic');
    await world.pass(2 * SECOND);
    expect(wordsOfView(viewOf(world, 'vic'))).toContain('Nothing waits');
  });

  it('shows and audits nothing for someone who may not approve any more', async () => {
    const { world, projects } = await ask(['100', '200']);
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    await grant(world, ['ben', 'cem']);
    const last = projects.at(-1) ?? expect.fail('no project');
    const seen = await choose(world, last, ['0', '1'], 'cem');
    expect(seen.submit).toBe('Approve 2 of 2');
    await grant(world, ['ben']);
    await world.slack.chooseOption({
      user: 'cem',
      view: seen,
      actionId: 'review_all_choice',
      option: ['0'],
    });
    await world.pass(2 * SECOND);
    expect(wordsOfView(viewOf(world, 'cem'))).not.toContain('$100');
    await world.slack.submitView({ user: 'cem', view: seen, values: { approve: ['0', '1'] }, asItWas: true });
    await world.pass(20 * SECOND);
    expect(approvals(world)).toEqual([]);
    expect(await world.gig('web', 'audit')).not.toContain('waiting bids at once');
  });

  it('never puts changed content under a check mark', async () => {
    const { bid, world, projects } = await ask(['100', '200']);
    const last = projects.at(-1) ?? expect.fail('no project');
    const seen = await choose(world, last, []);
    const [first] = (await bid.books()).jobs;
    world.marketplace.updateJob(first?.id ?? 0, { scheduledAt: world.clock.now() + 9 * HOUR });
    await world.gig('web', `job ${first?.id}`);
    await world.pass(5 * SECOND);
    const checked = { user: 'ada', view: seen, actionId: 'review_all_choice', option: ['0', '1'] };
    await world.slack.chooseOption(checked);
    await world.pass(2 * SECOND);
    const view = viewOf(world, 'ada');
    expect(view.submit).toBeUndefined();
    expect(wordsOfView(view)).toContain('out of date');
  });
});
