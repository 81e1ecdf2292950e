/**
 * The projects of a monitoring result after a lost page: they can be bought later, with or without a feed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, failureText } from './as-read.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
let page: { readonly path: string };
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.publishProject(101, { title: 'Rebuild our checkout' });
  const result = world.marketplace.addResult({ filterId: 101 });
  page = { path: `/results/${result.id}/projects` };
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

/** The result of a press on Projects. */
async function projects(): Promise<string> {
  await world.gig('web', 'results 101');
  const message = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no results');
  const button = findPressable(message, 'Projects');
  if (button?.kind !== 'button') return expect.fail('no button');
  const { actionId, blockId, value } = button;
  await world.slack.press({ user: 'ada', message, actionId, blockId, value });
  await world.pass(30 * SECOND);
  return wordsOf(world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer'));
}

async function losePage(): Promise<void> {
  world.marketplace.injectFault(page, presetFaults.status(500), 3);
  expect(await projects()).toContain(failureText(new MarketplaceError('server', 'none', '')));
  world.marketplace.clearFaults();
}

describe('the projects of a result', () => {
  it('can be bought after the first page of a period was lost', async () => {
    await losePage();
    await world.pass(HOUR);
    expect(await projects()).toContain('Rebuild our checkout');
  });

  it('can be bought after a lost page holds the whole budget: a free request releases it', async () => {
    await world.gig('web', 'budget 10');
    const other = world.marketplace.publishProject(101);
    await world.gig('data', `lookup ${other.ciphertext}`);
    await losePage();
    expect(await projects()).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(2);
  });

  it('are refused with the reason where nothing is known that costs nothing', async () => {
    await world.gig('web', 'budget 10');
    await losePage();
    const answer = await projects();
    expect(answer).toMatch(/\b10\b/u);
    expect(asRead(world, answer)).toMatchSnapshot();
    expect(answer).toContain('/gig budget');
  });

  it('can be bought while the feed’s own page and its question stay without an answer', async () => {
    const { marketplace } = world;
    marketplace.injectFault(
      { path: '/filters/101/projects' },
      presetFaults.status(500),
      Number.POSITIVE_INFINITY,
    );
    marketplace.injectFault({ path: '/projects/lookup' }, presetFaults.status(500), Number.POSITIVE_INFINITY);
    await world.gig('web', 'subscribe filter 101');
    await world.pass(2 * MINUTE);
    expect(await projects()).toContain('Rebuild our checkout');
  });

  it('can be bid on and shown in full from their row, by their own link at no extra credit', async () => {
    world.marketplace.addSetup({ id: 7, name: 'Night shift' });
    await projects();
    const rows = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no rows');
    expect(await pressRow(rows, 'Details')).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(1);
    await pressRow(rows, 'Bid');
    const form = world.slack.view('ada');
    expect(JSON.stringify(form)).toContain('Rebuild our checkout');
  });

  it('say that the list is out of date where a button names another project', async () => {
    await projects();
    const rows = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no rows');
    expect(asRead(world, await pressRow(rows, 'Details', '~0999'))).toMatchSnapshot();
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });
});

async function pressRow(message: SlackMessage, label: string, forged?: string): Promise<string> {
  const button = findPressable(message, label);
  if (button?.kind !== 'button') return expect.fail(`no ${label}`);
  const { actionId, blockId, value } = button;
  await world.slack.press({ user: 'ada', message, actionId, blockId, value: forged ?? value });
  await world.pass(5 * SECOND);
  return wordsOf(world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer'));
}
