/** A bid on an invitation's project: the card shows its status, the thread gets its updates. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { outcomeLabel } from '../../src/slack/kit/words/labels.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { approvals, creates, grant, onlyJob, press, SETUP, threadOf } from './bidder.ts';
import { allShown, expectDecentMessage, expectHealthy } from './healthy.ts';
import { QUIET } from './quiet-proposal.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

const PROFILE = 31;

let world: World;
let project: ProjectWithFilterIds;
beforeEach(async () => {
  world = await startWorld();
  const { marketplace } = world;
  marketplace.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  marketplace.addFilter({ id: 101, name: 'React work' });
  marketplace.addSetup({ id: SETUP, name: 'Fast setup', status: 'active', reviewsJobs: true });
  await grant(world, ['ben']);
  for (const channel of ['web', 'data']) await world.gig(channel, `subscribe invitations ${PROFILE}`);
  await world.pass(MINUTE);
  project = marketplace.publishProject(101, { clientQuestions: [], usOnly: false, ukOnly: false });
  marketplace.addInvitation({ profileId: PROFILE, title: 'Chairs in React', jobPostingUid: project.uid });
  await world.pass(4 * MINUTE);
});
afterEach(async () => {
  allShown(world).forEach(expectDecentMessage);
  expectHealthy(world);
  await world.stop();
});

function invitation(channel = 'web'): SlackMessage {
  const [found, ...more] = posted(world, 'invitation', channel);
  expect(more).toEqual([]);
  return found ?? expect.fail('no invitation');
}

/** The card's lines with people's names. */
function bidLines(channel = 'web'): string {
  const lines = wordsOf(invitation(channel)).split('\n');
  return asRead(world, lines.filter((it) => it.includes('<@')).join('\n'));
}

async function bid(): Promise<void> {
  await press(world, 'Bid', { message: invitation() });
  await world.pass(2 * SECOND);
  await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
  await world.pass(5 * SECOND);
}

describe('a bid on an invitation', () => {
  it('shows on its card in every channel, and can be approved there; nothing else is posted', async () => {
    const before = world.slack.messages('web').length;
    await bid();
    for (const channel of ['web', 'data']) {
      const words = wordsOf(invitation(channel));
      expect(words).toMatch(new RegExp(`<@${world.slack.user('ben').id}>.*Fast setup`, 'u'));
      expect(bidLines(channel)).toMatchSnapshot();
      expect(findPressable(invitation(channel), 'Review')).toBeDefined();
      expect(findPressable(invitation(channel), 'Bid')).toBeUndefined();
    }
    expect(world.slack.messages('web')).toHaveLength(before);
    expect(threadOf(world, invitation()).join('\n')).toContain(`#${onlyJob(world).id}`);
    await world.slack.closeView({ user: 'ben' });
    await press(world, 'Review', { message: invitation() });
    await world.pass(SECOND);
    await world.slack.submitView({ user: 'ben', values: {} });
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    expect(findPressable(invitation('data'), 'Review')).toBeUndefined();
    expect(bidLines('data')).toMatchSnapshot();
    expect(asRead(world, threadOf(world, invitation()).join('\n'))).toMatchSnapshot();
  });

  it('that becomes a proposal shows what became of it, after a crash, too', async () => {
    await bid();
    const sent = world.marketplace.addProposal({
      profileId: PROFILE,
      ...QUIET,
    });
    const { id } = onlyJob(world);
    world.marketplace.updateJob(id, { status: 'completed', applicationUid: sent.applicationUid });
    await world.crash();
    await world.restart();
    await world.pass(60 * MINUTE);
    world.marketplace.updateProposal(sent.id, { isViewed: true, isInterviewed: true });
    await world.pass(15 * MINUTE);
    const interviewed = outcomeLabel('interviewed');
    for (const channel of ['web', 'data']) expect(wordsOf(invitation(channel))).toContain(interviewed);
    expect(threadOf(world, invitation()).join('\n').toLowerCase()).toContain(interviewed);
    expect(findPressable(invitation('data'), 'Proposal')).toBeDefined();
  });

  it('without an answer is checked and tried again from there, as it was typed', async () => {
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/create' }, { kind: 'drop', when: 'before' });
    await bid();
    await world.slack.closeView({ user: 'ben' });
    expect(bidLines()).toMatchSnapshot();
    await press(world, 'Check', { message: invitation() });
    await world.pass(20 * SECOND);
    expect(creates(world)).toHaveLength(1);
    await press(world, 'Try Again', { message: invitation() });
    await world.pass(2 * SECOND);
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(2);
    expect(creates(world)[1]?.body).toEqual(creates(world)[0]?.body);
    expect(onlyJob(world).projectId).toBe(project.id);
    expect(findPressable(invitation('data'), 'Review')).toBeDefined();
  });

  it('that is refused says why, and may be tried again', async () => {
    world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/create' },
      presetFaults.wrongJson({ success: false, error: 'The limit of <!channel> today is used up' }),
    );
    await bid();
    expect(wordsOf(invitation())).toContain('today is used up');
    expect(findPressable(invitation(), 'Try Again')).toBeDefined();
  });

  it('that was made with /gig bid and the same id shows on it, too', async () => {
    await grant(world, ['ben'], 'data');
    await world.gig('data', `bid ${project.uid}`, 'ben');
    await world.pass(2 * SECOND);
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(5 * SECOND);
    expect(wordsOf(invitation())).toMatch(new RegExp(`<@${world.slack.user('ben').id}>.*Fast setup`, 'u'));
  });
});
