/** A channel's rules for spending, as an admin sets them, and the messages of bids that wait. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { BidAtHand } from './begin-bid.ts';
import { approve, press } from './bidder.ts';
import { type FilledForm, openSettings } from './settings-form.ts';
import { postOf, type World } from './world.ts';

/** Opens the form in two presses. */
async function openRules(world: World, channel = 'web', user = 'ada'): Promise<SlackView> {
  const settings = await openSettings(world, channel, user);
  await press(world, 'Spending Rules', { view: settings }, user);
  await world.pass(SECOND);
  return world.slack.view(user) ?? expect.fail('no form is open');
}

async function submitRules(world: World, values: FilledForm, user = 'ada') {
  const answer = await world.slack.submitView({ user, values });
  await world.pass(2 * SECOND);
  return answer;
}

/** @throws when a field is rejected */
export async function setRules(world: World, values: FilledForm, channel = 'web'): Promise<void> {
  await openRules(world, channel);
  const answer = await submitRules(world, values);
  expect(answer.errors ?? {}).toEqual({});
  await world.slack.closeView({ user: 'ada', all: true });
}

/** The messages of bids that wait or waited, newest first. */
function heldMessages(bid: BidAtHand): readonly SlackMessage[] {
  const all = bid.world.slack.thread('web', bid.card().ts);
  return all.filter((it) => postOf(it).startsWith('held:')).toReversed();
}

export function heldMessage(bid: BidAtHand): SlackMessage {
  const [newest] = heldMessages(bid);
  return newest ?? expect.fail('nothing waits');
}

/** Presses a button of the newest one. */
export async function pressHeld(
  bid: BidAtHand,
  label: 'Approve' | 'Reject' | 'Cancel',
  user: string,
): Promise<void> {
  const message = heldMessage(bid);
  if (label === 'Approve') await approve(bid.world, message, user, 'accept');
  else await press(bid.world, label, { message }, user);
}
