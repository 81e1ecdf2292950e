/** A stage's message after something happened to its card elsewhere: it says so, and loses its buttons. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { BidAtHand, begin } from './begin-bid.ts';
import { buttonsOf, pressButton } from './buttons.ts';
import { ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import { pressHeld, setRules } from './spending-rules.ts';
import { postOf, type World, wordsOf } from './world.ts';

let world: World;
let bid: BidAtHand;
afterEach(() => expect(world.slack.failedCalls()).toEqual([]));

/** A channel with the clock on, and a new card in it. */
async function start(values: Parameters<typeof setResponse>[2] = {}): Promise<void> {
  world = (await begin()).world;
  await setResponse(world, 'web', { ...ROUND_THE_CLOCK, 'lead-user': world.slack.user('ada').id, ...values });
  await publish('Rebuild our shop');
}

async function publish(title: string, client: { country?: string } = {}): Promise<BidAtHand> {
  const before = world.told('web').length;
  const budget = { type: 'fixed', fixedAmount: 700 } as const;
  const open = { usOnly: false, ukOnly: false, clientQuestions: [] };
  const project = world.marketplace.publishProject(101, { title, client, budget, ...open });
  await world.until('the card', () => world.told('web').length > before, 2 * MINUTE);
  bid = new BidAtHand({ world, project });
  return bid;
}

/** Stage messages of the newest card, oldest first. */
function stages(of = bid): readonly SlackMessage[] {
  return world.slack.thread('web', of.card().ts).filter((it) => postOf(it).startsWith('response:'));
}

function stage(at = 0): SlackMessage {
  return stages()[at] ?? expect.fail('no such stage');
}

const IDS = [actionIds.responseClaim, actionIds.responseSnooze, actionIds.responseExtend];
const presses = (message: SlackMessage) => IDS.flatMap((id) => buttonsOf(message, id));
const mention = (user: string) => `<@${world.slack.user(user).id}>`;
const edits = ({ ts }: SlackMessage) =>
  world.slack.apiCalls('chat.update').filter(({ args }) => args['ts'] === ts).length;

/** The message has no button, says these words, and was edited once for it. */
function expectOver(message: SlackMessage, words: string | RegExp, edited = 1): void {
  expect(presses(message)).toEqual([]);
  expect(wordsOf(message)).toMatch(words);
  expect(edits(message)).toBe(edited);
}

async function press(label: string, user: string, message = bid.card()): Promise<void> {
  await pressButton(world, { message }, label, user);
  await world.pass(2 * SECOND);
}

async function skip(user: string): Promise<void> {
  await bid.press('Skip', user);
  await world.pass(SECOND);
  await world.slack.submitView({ user, values: { reason: 'client' } });
  await world.pass(SECOND);
}

/** Mutes the newest card's country. */
async function mute(user: string): Promise<void> {
  await bid.press('Mute', user);
  await world.pass(SECOND);
  await world.slack.submitView({ user, values: { mute: 'country' } });
  await world.pass(SECOND);
}

describe('a nudge', () => {
  it('says who claimed the project on its card, and stays so after a release, over crashes', async () => {
    await start();
    await world.pass(11 * MINUTE);
    expect(presses(stage())).toHaveLength(2);
    await press('Claim', 'ben');
    await world.crash();
    await world.restart();
    await world.pass(2 * MINUTE);
    expectOver(stage(), mention('ben'));
    await press('Release', 'ben');
    await world.crash();
    await world.restart();
    await world.pass(2 * MINUTE);
    expectOver(stage(), mention('ben'));
  });

  it('says who skipped it, and for whom it was assigned', async () => {
    await start();
    await world.pass(11 * MINUTE);
    await skip('ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), mention('ben'));
    await publish('Another one');
    await world.pass(11 * MINUTE);
    await bid.press('Assign', 'ada');
    await world.pass(SECOND);
    await world.slack.submitView({ user: 'ada', values: { assignee: world.slack.user('ben').id } });
    await world.pass(2 * MINUTE);
    expectOver(stage(), mention('ben'));
  });

  it('says that the project has a bid', async () => {
    await start();
    await world.pass(11 * MINUTE);
    await bid.open();
    await bid.submit('ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), /has a bid now/u);
  });

  it('loses its buttons to the second nudge; a snoozed one still says who claimed it', async () => {
    await start();
    await world.pass(21 * MINUTE);
    expect(stages()).toHaveLength(2);
    expect(presses(stage(0))).toEqual([]);
    expect(presses(stage(1))).toHaveLength(1);
    await press('Claim', 'ben', stage(1));
    await world.pass(2 * MINUTE);
    expectOver(stage(0), /second nudge/u);
    expectOver(stage(1), mention('ben'));
    await publish('Another one');
    await world.pass(11 * MINUTE);
    await press('Snooze', 'ada', stage());
    expectOver(stage(), mention('ada'));
    await press('Claim', 'ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), mention('ben'), 2);
  });

  it('says so when the nudges are turned off', async () => {
    await start();
    await world.pass(11 * MINUTE);
    await setResponse(world, 'web', { 'response-on': [] });
    await world.pass(MINUTE);
    expectOver(stage(), /No more nudges/u);
  });

  it('says who muted projects like it, over crashes; others keep their buttons', async () => {
    await start();
    const germanShop = bid;
    await publish('Another one', { country: 'Norway' });
    await world.pass(21 * MINUTE);
    const shared = () => world.slack.messages('web').filter((it) => postOf(it).startsWith('response:'));
    expect(shared()).toHaveLength(2);
    await mute('ben');
    await world.crash();
    await world.restart();
    await world.pass(2 * MINUTE);
    expect(presses(shared()[1] ?? expect.fail('no second nudge'))).toHaveLength(1);
    expect(wordsOf(shared()[1] ?? expect.fail('no second nudge'))).toContain(mention('ben'));
    await pressButton(world, { message: germanShop.card() }, 'Claim', 'ada');
    await world.pass(2 * MINUTE);
    expect(presses(shared()[1] ?? expect.fail('no second nudge'))).toEqual([]);
  });

  it('says so of a mute before its next stage, and goes on with it if that is undone', async () => {
    await start();
    await publish('Another one', { country: 'Norway' });
    await world.pass(12 * MINUTE);
    const shared = () => world.slack.messages('web').filter((it) => postOf(it).startsWith('response:'));
    expect(presses(shared()[0] ?? expect.fail('no nudge'))).toHaveLength(4);
    await mute('ben');
    await world.pass(2 * MINUTE);
    expect(presses(shared()[0] ?? expect.fail('no nudge'))).toHaveLength(2);
    await world.gig('web', 'list', 'ben');
    const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
    await press('Unmute', 'ben', list);
    await world.pass(10 * MINUTE);
    expect(shared().at(-1) && wordsOf(shared().at(-1) ?? expect.fail('none'))).toContain('Another one');
  });

  it('about several cards loses the buttons of those that were claimed', async () => {
    await start();
    const first = bid;
    await publish('Another one');
    await world.pass(12 * MINUTE);
    const shared = () =>
      world.slack.messages('web').find((it) => postOf(it).startsWith('response:')) ?? expect.fail('none');
    expect(presses(shared())).toHaveLength(4);
    await pressButton(world, { message: first.card() }, 'Claim', 'ben');
    await world.pass(2 * MINUTE);
    expect(presses(shared())).toHaveLength(2);
    expect(wordsOf(shared())).toContain(mention('ben'));
    expect(wordsOf(shared())).toMatch(/1 of 2/u);
    expect(edits(shared())).toBe(1);
    await pressButton(world, { message: bid.card() }, 'Claim', 'ben');
    await world.pass(2 * MINUTE);
    expectOver(shared(), /2 cards were/u, 2);
  });
});

describe('a warning', () => {
  async function warned(): Promise<void> {
    await start();
    await press('Claim', 'ben');
    await world.pass(52 * MINUTE);
    expect(presses(stage())).toHaveLength(1);
  }

  it('says that the claim expired; the note about that says who claimed it again', async () => {
    await warned();
    await world.pass(12 * MINUTE);
    expect(stages()).toHaveLength(2);
    expectOver(stage(0), /The claim expired/u);
    await press('Claim', 'ada');
    await world.pass(2 * MINUTE);
    expectOver(stage(1), mention('ada'));
    expectOver(stage(0), /The claim expired/u);
  });

  it('says that the claim was released, or that another person has it', async () => {
    await warned();
    await press('Release', 'ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), /released/u);
    await publish('Another one');
    await press('Claim', 'ben');
    await world.pass(52 * MINUTE);
    await press('Release', 'ben');
    await press('Claim', 'ada');
    await world.pass(2 * MINUTE);
    expectOver(stage(), new RegExp(`${mention('ada')} claimed`, 'u'));
  });

  it('says that a bid was sent, or that one waits', async () => {
    await warned();
    await bid.open();
    await bid.submit('ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), /has a bid now/u);
    await setRules(world, { 'second-amount': '0' });
    await publish('Another one');
    await press('Claim', 'ben');
    await world.pass(52 * MINUTE);
    await bid.open();
    await bid.submit('ben', { bid_amount: '600' });
    await world.pass(2 * MINUTE);
    expectOver(stage(), /bid is in progress/u);
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(2 * MINUTE);
    expectOver(stage(), /bid is in progress/u);
    // The claim has all of its time again.
    await world.pass(51 * MINUTE);
    expect(stages()).toHaveLength(2);
    expect(presses(stage(1))).toHaveLength(1);
  });

  it('changes when its button is pressed too late, before the job has seen why', async () => {
    await warned();
    await press('Release', 'ben');
    expect(presses(stage())).toHaveLength(1);
    await press('Extend', 'ben', stage());
    expectOver(stage(), /released/u);
    expect(world.slack.ephemerals('ben', 'web').map(wordsOf).join()).toContain('nothing to extend');
  });

  it('says so when claims no longer expire', async () => {
    await warned();
    await setResponse(world, 'web', { 'claim-expiry': '0' });
    await world.pass(2 * MINUTE);
    expectOver(stage(), /don't expire/u);
    await world.pass(HOUR);
    expect(stages()).toHaveLength(1);
  });
});
