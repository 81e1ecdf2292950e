/** Statistics through the whole app: proposals copied from the marketplace, counted, compared. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { SimulatedProposal } from '../../src/workbench/marketplace/records.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, refusalFor } from './as-read.ts';
import { press } from './bidder.ts';
import { startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

const PROFILE = 31;
const PITCH = { id: 12, name: 'Short pitch' };
const LONG = { id: 13, name: 'Long <!channel> letter' };

let world: World;

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await startWorld(options);
  world.marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
}

/** Similar proposals: the first one this many days old, each next one an hour older. */
function send(count: number, daysOld: number, known: Partial<SimulatedProposal>): void {
  for (let n = 0; n < count; n++)
    world.marketplace.addProposal({
      profileId: PROFILE,
      submittedAt: world.clock.now() - daysOld * DAY - n * HOUR,
      isViewed: false,
      isInterviewed: false,
      isHired: false,
      isWithdrawn: false,
      isInvitation: false,
      connects: 10,
      boost: 0,
      coverLetterVariant: 'A',
      biddingTemplate: PITCH,
      ...known,
    });
}

/** 40 of a template that clients view and 40 of one that they don't, and some that are counted separately. */
function sendMonth(): void {
  send(4, 9, { isViewed: true, isInterviewed: true, isHired: true });
  send(26, 10, { isViewed: true });
  send(10, 12, {});
  send(5, 14, { biddingTemplate: LONG, isViewed: true });
  send(35, 15, { biddingTemplate: LONG });
  send(6, 1, {});
  send(3, 2, { isInvitation: true, isViewed: true });
  send(7, 40, { isViewed: true });
}

async function follow(): Promise<void> {
  await world.gig('web', 'subscribe outcomes 31');
  await world.pass(2 * MINUTE);
}

function answer(user = 'ada'): SlackMessage {
  return world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');
}

async function choose(words: string): Promise<string> {
  await press(world, words, { message: answer() }, 'ada');
  await world.pass(2 * SECOND);
  return wordsOf(answer());
}

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('/gig stats', () => {
  beforeEach(() => begin());

  it('counts what was copied, says how sure that is, and what differs by more than chance', async () => {
    sendMonth();
    expect(await world.gig('web', 'stats')).toContain('/gig subscribe outcomes');
    await follow();
    const words = await world.gig('web', 'stats');
    expect(words).toMatch(/\b86\b.*\b30\b.*\b80\b/u);
    // 35 of 80; Wilson: 0.4375 + 3.8415/160 = 0.4615, / 1.0480 = 0.4404, ± 0.1062.
    expect(words).toMatch(/\b44%.*\b33 to 55%.*\b35 of 80\b/u);
    expect(words).toMatch(/\b5%.*\b2 to 12%.*\b4 of 80\b/u);
    expect(words).toMatch(/“Short pitch” \(12\) · 40 · 75%/u);
    expect(words).toMatch(/“Long <!channel> letter” \(13\) · 40 · 13%/u);
    expect(words).toContain('“Ada Webb” (31)');
    expect(asRead(world, words)).toMatchSnapshot();
    expect(await world.gig('web', 'stats 60')).toMatch(/\b93\b.*\b60\b/u);
    expect(world.marketplace.consumedCredits().total).toBe(0);
  });

  it('shows each dimension in its place, to the person alone', async () => {
    sendMonth();
    await follow();
    await world.gig('web', 'stats');
    expect(await choose('By weekday')).toMatch(/Weekday · Proposals/u);
    expect(await choose('By boost')).toMatch(/\b80\b/u);
    expect(await choose('By letter')).toMatch(/“Short pitch” \(12\)[\s\S]* · 40 · /u);
    // In a cell, a name is plain text: only mrkdwn can call a channel.
    expect(JSON.stringify(answer().blocks.filter(({ type }) => type !== 'data_table'))).not.toContain(
      '<!channel>',
    );
    expect(world.slack.messages('web').map(wordsOf).join('\n')).not.toContain('Short pitch');
  });

  it('follows what becomes of proposals', async () => {
    const record = world.marketplace.addProposal({
      profileId: PROFILE,
      submittedAt: world.clock.now() - 8 * DAY,
      isViewed: false,
      isInterviewed: false,
      isHired: false,
      isInvitation: false,
    });
    await follow();
    expect(await world.gig('web', 'stats')).toMatch(/\b0%.*\b0 to 79%.*\b0 of 1\b/u);
    world.marketplace.updateProposal(record.id, { isHired: true });
    await world.pass(20 * MINUTE);
    const words = await world.gig('web', 'stats');
    expect(words).not.toMatch(/\b0 of 1\b/u);
    expect(words).toMatch(/\b100%.*\b21 to 100%.*\b1 of 1\b/u);
    expect(asRead(world, words)).toMatchSnapshot();
  });

  it('says what is wrong with what is no number of days, and is not for guests', async () => {
    for (const nonsense of ['0', '366', 'lots', '-1', '<!channel>', '1e3'])
      expect(await world.gig('web', `stats ${nonsense}`)).toMatch(/\b1\b.*\b365\b/u);
    world.slack.addUser({ name: 'gil', guest: 'single' });
    world.slack.invite('web', 'gil');
    expect(await world.gig('web', 'stats', 'gil')).toContain(refusalFor('viewer', 'outsider'));
  });

  it('of a profile that has sent nothing says so', async () => {
    await follow();
    expect(asRead(world, await world.gig('web', 'stats'))).toMatchSnapshot();
  });
});

describe('while the first copy runs', () => {
  it('what is there is counted, and said to be not all', async () => {
    await begin({ requestsPerMinute: 5, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '5' } });
    send(600, 8, {});
    await world.gig('web', 'subscribe outcomes 31');
    await world.pass(MINUTE);
    const early = await world.gig('web', 'stats 60');
    expect(early).toMatch(/\b[1-5]00\b.*\b60\b/u);
    expect(early).toMatch(/\b[1-5]00 of 600\b/u);
    await world.pass(10 * MINUTE);
    expect(await world.gig('web', 'stats 60')).toMatch(/\b600\b.*\b60\b/u);
  });
});
