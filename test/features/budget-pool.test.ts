/** Any number of channels without an admin's confirmation share one default budget. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { buttonsOf } from './buttons.ts';
import { noticesAmong } from './notices.ts';
import { readBidBooks } from './read-bid-books.ts';
import { readBooks } from './read-books.ts';
import { FAST, startWorld, type World, wordsOf } from './world.ts';

const DEFAULT = 50;
const CHANNELS = ['one', 'two', 'three', 'four', 'five'];
/** The first user of the simulated Slack. */
const ADA = 'U00000001';

let world: World;
beforeEach(async () => {
  const env = { ...FAST.env, DEFAULT_CHANNEL_BUDGET: String(DEFAULT), ADMIN_USER_IDS: ADA };
  world = await startWorld({ ...FAST, env });
  expect(world.slack.user('ada').id).toBe(ADA);
  CHANNELS.forEach((name, place) => {
    world.slack.addChannel({ name });
    world.marketplace.addFilter({ id: 101 + place });
  });
});
afterEach(() => world.stop());

const charged = () => world.marketplace.consumedCredits().total;

async function subscribe(name: string, user: string): Promise<string> {
  return world.gig(name, `subscribe filter ${101 + CHANNELS.indexOf(name)}`, user);
}

async function publish(count: number, names: readonly string[] = CHANNELS): Promise<void> {
  await world.pass(MINUTE);
  for (let made = 0; made < count; made++) {
    for (const name of names) world.marketplace.publishProject(101 + CHANNELS.indexOf(name));
    world.clock.moveBy(SECOND);
  }
  await world.pass(10 * MINUTE);
}

/** Gigdesk's direct messages to ada. */
function toAda(): readonly SlackMessage[] {
  return world.slack.directMessages('ada').filter((it) => it.byBot);
}

/** Whether a channel's spending counts toward the shared budget. */
async function shares(name: string): Promise<boolean> {
  const { budgets } = await world.read((tx) => readBooks(tx, TeamId.parse(world.slack.team.id)));
  const { id } = world.slack.channel(name);
  return budgets.find(({ channel }) => channel === id)?.isPooled === true;
}

async function confirm(user: string, on: SlackMessage): Promise<void> {
  const [found] = buttonsOf(on, actionIds.budgetConfirm);
  const { actionId, blockId, value } = found ?? expect.fail(`nothing to confirm on: ${wordsOf(on)}`);
  await world.slack.press({ message: on, user, actionId, blockId, value });
  await world.pass(5 * SECOND);
}

describe('channels that a plain member makes', () => {
  it('spend one default budget together, lookups in direct messages included', async () => {
    for (const name of CHANNELS) await subscribe(name, 'ben');
    await publish(60);
    expect(charged()).toBeLessThanOrEqual(DEFAULT);
    expect(charged()).toBeGreaterThan(DEFAULT - 10);
    for (const project of world.marketplace.projects().slice(-20))
      await world.gig('one', `lookup ${project.ciphertext}`, 'ben');
    expect(charged()).toBeLessThanOrEqual(DEFAULT);
    expect(await shares('one')).toBe(true);
    expect(asRead(world, await world.gig('one', 'budget', 'ben'))).toMatchSnapshot();
    const posts = CHANNELS.flatMap((name) => world.slack.messages(name));
    const [notice] = await noticesAmong(posts, world, 'budget-spent');
    expect(notice && wordsOf(notice)).toMatch(/\b50\b/u);
    expect(notice && buttonsOf(notice, actionIds.budgetSet)).toHaveLength(1);
  });

  it('are told to admins once each, who give one its own budget with a button, once', async () => {
    for (const name of ['one', 'two']) await subscribe(name, 'ben');
    await publish(40, ['one', 'two']);
    expect(charged()).toBeLessThanOrEqual(DEFAULT);
    const told = toAda();
    expect(told).toHaveLength(2);
    const ben = world.slack.user('ben').id;
    const { id } = world.slack.channel('one');
    const notice = told.find((it) => wordsOf(it).includes(`<#${id}>`)) ?? expect.fail('not told');
    expect(wordsOf(notice)).toContain(`<@${ben}>`);
    expect(wordsOf(notice)).toMatch(/\b50\b/u);
    expect(buttonsOf(notice, actionIds.budgetSet)).toHaveLength(1);

    await confirm('ben', notice);
    expect(await shares('one')).toBe(true);
    await confirm('ada', notice);
    await world.pass(10 * MINUTE);
    const shown = toAda().find((it) => it.ts === notice.ts) ?? expect.fail('gone');
    expect(wordsOf(shown)).toContain(`<@${ADA}>`);
    expect(buttonsOf(shown, actionIds.budgetConfirm)).toEqual([]);
    expect(await shares('one')).toBe(false);
    expect(await shares('two')).toBe(true);
    expect(charged()).toBeGreaterThan(DEFAULT);
    expect(charged()).toBeLessThanOrEqual(2 * DEFAULT);
    await confirm('ada', notice).catch(() => undefined);
    const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
    const confirmed = audit.filter(({ act }) => act.kind === 'budget-confirmed');
    expect(confirmed.map(({ channel }) => channel)).toContain(id);
    expect(asRead(world, await world.gig('one', 'audit', 'ada'))).toMatchSnapshot();
  });

  it('stop sharing as soon as an admin subscribes there or sets their budget', async () => {
    for (const name of ['one', 'two', 'three']) await subscribe(name, 'ben');
    await publish(60, ['one', 'two', 'three']);
    expect(charged()).toBeLessThanOrEqual(DEFAULT);
    await world.gig('one', 'subscribe filter 101 -nothing', 'ada');
    await world.gig('two', 'budget 20', 'ada');
    await world.pass(10 * MINUTE);
    expect(await shares('one')).toBe(false);
    expect(await shares('two')).toBe(false);
    expect(await shares('three')).toBe(true);
    expect(charged()).toBeGreaterThan(DEFAULT);
    // At most a default budget for each of the two, plus the pool.
    expect(charged()).toBeLessThanOrEqual(3 * DEFAULT);
  });
});

it('a channel that an admin subscribes first has its own default, and no admin is notified', async () => {
  await subscribe('one', 'ada');
  await subscribe('two', 'ada');
  await publish(60, ['one', 'two']);
  expect(charged()).toBeGreaterThan(2 * DEFAULT - 20);
  expect(toAda()).toEqual([]);
  expect(await shares('one')).toBe(false);
});
