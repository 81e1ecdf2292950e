/** Invitations and outcomes of a followed profile, in the channels that follow it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { outcomeLabel } from '../../src/slack/kit/words/labels.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { grant, onlyJob, press, SETUP, viewOf, wordsOfView } from './bidder.ts';
import { QUIET } from './quiet-proposal.ts';
import { changeSettings } from './settings-form.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

const PROFILE = 31;

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
});
afterEach(() => world.stop());

function standing(words: string | RegExp, channel = 'web'): readonly SlackMessage[] {
  return world.slack.messages(channel).filter((it) => wordsOf(it).match(words));
}

function only(words: string | RegExp, channel = 'web'): SlackMessage {
  const [found, ...more] = standing(words, channel);
  expect(more.map(wordsOf)).toEqual([]);
  return (
    found ??
    expect.fail(`nothing says ${words} in: ${world.slack.messages(channel).map(wordsOf).join('\n---\n')}`)
  );
}

/** A proposal's updates, in order. */
function outcomesOf(proposal: number): readonly string[] {
  return posted(world, 'outcome').flatMap((it) => {
    const [, , about, outcomes = ''] = postOf(it).split(':');
    return about === String(proposal) ? [outcomes] : [];
  });
}

function threadOf(message: SlackMessage): string {
  return world.slack.thread('web', message.ts).slice(1).map(wordsOf).join('\n');
}

describe('an invitation', () => {
  const LETTER = `Dear Ada, please help us. ${'We sell chairs. '.repeat(60)}THE END`;

  beforeEach(async () => {
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Of the past' });
    await world.pass(SECOND);
    expect(await world.gig('web', 'subscribe invitations 31')).toMatch(/Ada Webb/u);
    await world.pass(3 * MINUTE);
  });

  it('comes as a card, once, with its letter in full in the thread; the past does not come', async () => {
    world.marketplace.addInvitation({
      profileId: PROFILE,
      title: 'Chairs in React',
      invitationLetter: LETTER,
    });
    await world.pass(10 * MINUTE);
    const card = only('Chairs in React');
    expect(wordsOf(card)).toContain('Ada Webb');
    expect(wordsOf(card)).not.toContain('THE END');
    expect(threadOf(card)).toContain('THE END');
    expect(standing('Of the past')).toEqual([]);
  });

  it('that changes its state shows it, and its thread tells it once', async () => {
    const { id } = world.marketplace.addInvitation({
      profileId: PROFILE,
      title: 'Chairs',
      statusLabel: 'Pending',
    });
    await world.pass(5 * MINUTE);
    world.marketplace.updateInvitation(id, {
      statusLabel: 'Declined by client',
      updatedAt: world.clock.now(),
    });
    await world.pass(10 * MINUTE);
    const card = only(/\bChairs\b/u);
    expect(wordsOf(card)).toContain('Declined by client');
    expect(threadOf(card).match(/Declined by client/gu)?.length).toBeGreaterThan(0);
  });

  it('is claimed by one, looked into for a credit, and bid on', async () => {
    world.marketplace.addFilter({ id: 101 });
    const project = world.marketplace.publishProject(101, { title: 'Chairs in React', clientQuestions: [] });
    world.marketplace.addSetup({ id: SETUP, name: 'Fast setup', status: 'active' });
    await grant(world, ['ben']);
    world.marketplace.addInvitation({
      profileId: PROFILE,
      title: 'Chairs in React',
      jobPostingUid: project.uid,
    });
    await world.pass(5 * MINUTE);
    const card = only('Chairs in React');
    await press(world, 'Claim', { message: card }, 'ben');
    await world.pass(5 * SECOND);
    await press(world, 'Claim', { message: card }, 'ada').catch(() => undefined);
    await world.pass(5 * SECOND);
    expect(wordsOf(only('Chairs in React'))).toContain(`<@${world.slack.user('ben').id}>`);
    expect(wordsOf(only('Chairs in React'))).not.toContain(`<@${world.slack.user('ada').id}>`);
    await press(world, 'Details', { message: only('Chairs in React') }, 'ben');
    await world.pass(SECOND);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Chairs in React');
    expect(world.marketplace.consumedCredits().total).toBe(0);
    await press(world, 'Look Up (1 Credit)', { view: viewOf(world, 'ben') }, 'ben');
    await world.pass(5 * SECOND);
    expect(world.marketplace.consumedCredits().total).toBe(1);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('*Connects*');
    expect(threadOf(card)).toBe('');
    await press(world, 'Bid', { view: viewOf(world, 'ben') }, 'ben');
    await world.pass(2 * SECOND);
    expect(world.slack.viewStack('ben')).toHaveLength(2);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Chairs in React');
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(5 * SECOND);
    expect(onlyJob(world).projectId).toBe(project.id);
  });

  it('shows its whole letter in a window, where it is claimed; once it is old, nothing happens', async () => {
    world.marketplace.addInvitation({
      profileId: PROFILE,
      title: 'Chairs in React',
      invitationLetter: LETTER,
    });
    await world.pass(10 * MINUTE);
    const ben = `<@${world.slack.user('ben').id}>`;
    await press(world, 'Details', { message: only('Chairs in React') }, 'ben');
    await world.pass(SECOND);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('THE END');
    await press(world, 'Claim', { view: viewOf(world, 'ben') }, 'ben');
    await world.pass(5 * SECOND);
    expect(wordsOf(only('Chairs in React'))).toContain(ben);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain(ben);
    world.clock.moveBy(91 * DAY);
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'Another' });
    await world.pass(10 * MINUTE);
    const told = () => world.slack.ephemerals('ben').length + world.slack.directMessages('ben').length;
    const before = told();
    await press(world, 'Release', { view: viewOf(world, 'ben') }, 'ben');
    await world.pass(5 * SECOND);
    expect(told()).toBe(before + 1);
    expect(wordsOf(only('Chairs in React'))).toContain(ben);
  });

  it('is told in every channel that follows the profile, with one request for all', async () => {
    await world.gig('data', 'subscribe invitations "ada webb"');
    await world.pass(3 * MINUTE);
    world.marketplace.addInvitation({ profileId: PROFILE, title: 'For both' });
    const asked = world.marketplace.requests().length;
    await world.pass(4 * MINUTE);
    only('For both');
    only('For both', 'data');
    const reads = world.marketplace
      .requests()
      .slice(asked)
      .filter((it) => it.path === '/invitations');
    expect(reads.length).toBeLessThanOrEqual(3);
  });

  it('is neither lost nor told twice when the process is killed', async () => {
    for (let i = 0; i < 5; i++) {
      world.marketplace.addInvitation({ profileId: PROFILE, title: `Round ${i}` });
      await world.pass((20 + i * 37) * SECOND);
      await world.crash();
      await world.restart();
    }
    await world.pass(10 * MINUTE);
    for (let i = 0; i < 5; i++) only(`Round ${i}`);
  });

  it('of a profile that was disconnected: told once, the others go on, and it comes back', async () => {
    world.marketplace.addProfile({ id: 32, label: 'Ben Stone', type: 'freelancer' });
    await world.gig('web', 'subscribe invitations 32');
    await world.pass(3 * MINUTE);
    const gone = world.marketplace.injectFault(
      { path: '/invitations' },
      presetFaults.status(404, 'Profile not found'),
      3,
    );
    await world.pass(20 * MINUTE);
    world.marketplace.addInvitation({ profileId: 32, title: 'For Ben' });
    for (let hours = 0; hours < 24; hours += 2) {
      world.clock.moveBy(2 * HOUR);
      await world.pass(5 * MINUTE);
    }
    expect(gone.hits()).toBe(3);
    only('For Ben');
    expect(await world.gig('web', 'list')).toMatch(/Ben Stone/u);
  });
});

describe('an outcome', () => {
  beforeEach(async () => {
    world.marketplace.addProposal({ profileId: PROFILE, jobTitle: 'Of the past', isHired: true });
    expect(await world.gig('web', 'subscribe outcomes ada webb')).toBeDefined();
    await world.gig('web', 'subscribe outcomes 31');
    await changeSettings(world, 'web', { level: 'everything' });
    await world.pass(10 * MINUTE);
  });

  it('is told once each, and nothing of the past', async () => {
    const proposal = world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: 'Chairs in Vue',
      ...QUIET,
    });
    await world.pass(5 * MINUTE);
    expect(standing('Chairs in Vue')).toEqual([]);
    world.marketplace.updateProposal(proposal.id, { isViewed: true });
    await world.pass(5 * MINUTE);
    expect(outcomesOf(proposal.id)).toEqual(['viewed']);
    expect(asRead(world, wordsOf(only('Chairs in Vue')))).toMatchSnapshot();
    world.marketplace.updateProposal(proposal.id, { isInterviewed: true });
    await world.pass(5 * MINUTE);
    world.marketplace.updateProposal(proposal.id, { isHired: true });
    await world.pass(30 * MINUTE);
    expect(outcomesOf(proposal.id)).toEqual(['viewed', 'interviewed', 'hired']);
    expect(standing('Chairs in Vue')).toHaveLength(3);
    expect(standing('Of the past')).toEqual([]);
  });

  it('of an old proposal is found by the daily sweep', async () => {
    const old = world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: 'Long ago',
      submittedAt: world.clock.now() - 30 * DAY,
      ...QUIET,
    });
    for (let i = 0; i < 150; i++)
      world.marketplace.addProposal({ profileId: PROFILE, submittedAt: world.clock.now() - i * HOUR });
    await world.pass(10 * MINUTE);
    world.clock.moveBy(DAY);
    await world.pass(20 * MINUTE);
    world.marketplace.updateProposal(old.id, { isHired: true });
    world.clock.moveBy(DAY);
    await world.pass(20 * MINUTE);
    only('Long ago');
    expect(outcomesOf(old.id)).toEqual(['hired']);
  });

  it('of a bid of ours stands on its card and in its thread, and nowhere else', async () => {
    world.marketplace.addFilter({ id: 101 });
    world.marketplace.addSetup({
      id: SETUP,
      name: 'Fast setup',
      status: 'active',
      filter: { id: 101, name: 'x' },
    });
    await grant(world, ['ben']);
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const project = world.marketplace.publishProject(101, { title: 'Our own bid', clientQuestions: [] });
    await world.until('the card', () => world.told('web').includes(project.ciphertext), MINUTE);
    await press(world, 'Bid', { message: only('Our own bid') }, 'ben');
    await world.pass(SECOND);
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(5 * SECOND);
    const sent = world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: 'Our own bid',
      ...QUIET,
    });
    world.marketplace.updateJob(onlyJob(world).id, {
      status: 'completed',
      applicationUid: sent.applicationUid,
    });
    await world.pass(15 * MINUTE);
    world.marketplace.updateProposal(sent.id, { isViewed: true, isInterviewed: true });
    await world.pass(15 * MINUTE);
    const card = only('Our own bid');
    for (const words of [wordsOf(card), threadOf(card)])
      expect(words.toLowerCase()).toContain(outcomeLabel('interviewed'));
    expect(findPressable(card, 'Proposal')).toBeDefined();
  });
});
