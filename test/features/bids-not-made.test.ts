/** A canceled, refused or rejected bid is no bid: its project or its invitation is still open. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const PROFILE = 31;

/** A project's card in `web`, and an invitation to another project. */
async function publish(desk: Desk): Promise<{ card: Message; invitation: Message }> {
  const { market, pass } = desk;
  market.service.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  const ada = desk.person('ada');
  await ada.type(`/gig subscribe invitations ${PROFILE}`);
  await pass(MINUTE);
  const card = await market.publish().cardIn('web');
  const { uid: jobPostingUid } = market.publish({ title: 'Chairs in React' }, []).project;
  market.service.addInvitation({ profileId: PROFILE, title: 'Chairs in React', jobPostingUid });
  await pass(4 * MINUTE);
  const invitation = ada.reads('web').find((it) => it.text.includes('Invitation: '));
  return { card, invitation: invitation ?? expect.fail('no invitation') };
}

async function bidOn(desk: Desk, messages: readonly Message[]): Promise<void> {
  for (const message of messages) await sendBid(desk.person('ben'), message);
}

/** In the message's thread. */
async function pressInThread(desk: Desk, message: Message, label: string) {
  return desk.person('ada').press(offering(message, label), label);
}

async function digestOf(desk: Desk): Promise<string> {
  const ada = desk.person('ada');
  await ada.type('/gig digest now');
  return ada.reads('web').at(-1)?.text ?? '';
}

async function expectOpen(desk: Desk, card: Message): Promise<void> {
  const digest = await digestOf(desk);
  expect(digest).toMatch(/needs an answer:.*1 unclaimed invitation/iu);
  expect(digest).toMatch(/1 project is unclaimed/u);
  expect(card.offers('Claim')).toBe(true);
  const details = await desk.person('ben').press(card, 'Details');
  expect(details.offers('Claim')).toBe(true);
}

describe('a project and an invitation stay open', () => {
  appTest('after their bids were canceled', async ({ desk, market }) => {
    await setRules(desk.person('ada'), { 'Cancel window': '1 minute' });
    const { card, invitation } = await publish(desk);
    for (const message of [card, invitation]) {
      await bidOn(desk, [message]);
      await pressInThread(desk, message, 'Cancel');
    }
    expect(market.jobs).toHaveLength(0);
    await expectOpen(desk, card);
  });

  appTest('after the marketplace refused their bids', async ({ desk, market }) => {
    const { card, invitation } = await publish(desk);
    market.fail(PATHS.bid, presetFaults.status(400), 2);
    await bidOn(desk, [card, invitation]);
    expect(market.jobs).toHaveLength(0);
    await expectOpen(desk, card);
  });

  const reviewed = appTestWith({ reviews: true });
  reviewed('after their bids were rejected', async ({ desk, ada, market }) => {
    const { card, invitation } = await publish(desk);
    await bidOn(desk, [card, invitation]);
    for (const message of [card, invitation]) {
      await (await pressInThread(desk, message, 'Reject')).send({ Reason: 'Too cheap' });
      await ada.close();
    }
    expect(market.requests(PATHS.approve)).toHaveLength(0);
    await expectOpen(desk, card);
  });

  appTest('but not while a bid may have reached the marketplace', async ({ desk, market }) => {
    const { card, invitation } = await publish(desk);
    market.fail(PATHS.bid, presetFaults.timeoutAfterEffect(), 2);
    await bidOn(desk, [card, invitation]);
    await desk.pass(2 * MINUTE);
    expect(market.jobs).toHaveLength(2);
    const digest = await digestOf(desk);
    expect(digest).toMatch(/needs an answer:.*2 bids/iu);
    expect(digest).not.toMatch(/unclaimed/u);
    expect(card.offers('Claim')).toBe(false);
  });
});
