/** A job's own channel decides who may see and approve it, from any place. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, firstSign, refusalFor, statusAsRead } from './as-read.ts';
import {
  approvals,
  cardOf,
  grant,
  onlyJob,
  press,
  SETUP,
  startBidWorld,
  submitBid,
  threadOf,
} from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import { HomeAtHand } from './home-desk.ts';
import { readBidBooks } from './read-bid-books.ts';
import { type World, wordsOf } from './world.ts';

const TITLE = 'Migrate the payroll';
const LETTER = 'Our private letter';
const SLACK_IS_OUT = { kind: 'error', error: 'fatal_error' } as const;

interface SecretJob {
  readonly world: World;
  readonly project: ProjectWithFilterIds;
  readonly job: number;
}

/**
 * The people: ada is admin everywhere, ben bids in web and in secret, cem in data; secret has ada and ben.
 */
async function startSecretJob({ alsoIn }: { alsoIn?: string } = {}): Promise<SecretJob> {
  const { world } = await startBidWorld({ reviews: true });
  onTestFinished(() => world.stop());
  const { slack, marketplace } = world;
  slack.addUser({ name: 'cem' });
  slack.invite('web', 'cem');
  slack.invite('data', 'cem');
  slack.addChannel({ name: 'secret', private: true, members: ['ada', 'ben'] });
  marketplace.addFilter({ id: 102, name: 'Quiet work' });
  await world.gig('secret', 'subscribe filter 102');
  if (alsoIn) await world.gig(alsoIn, 'subscribe filter 102');
  await grant(world, ['ben'], 'secret');
  await grant(world, ['cem'], 'data');
  await world.pass(20 * SECOND);
  const project = marketplace.publishProject(102, {
    title: TITLE,
    clientQuestions: [],
    usOnly: false,
    ukOnly: false,
  });
  await world.until('the card', () => world.told('secret').includes(project.ciphertext), 2 * MINUTE);
  await press(world, 'Bid', { message: cardOf(world, project, 'secret') }, 'ben');
  await world.pass(SECOND);
  await submitBid(world, 'ben', { cover_letter: LETTER });
  await slack.closeView({ user: 'ben' });
  return { world, project, job: onlyJob(world).id };
}

function lastNote(world: World, user: string, channel: string): SlackMessage {
  return world.slack.ephemerals(user, channel).at(-1) ?? expect.fail(`${user} was shown nothing`);
}

/** Sends a press that no button there offers. */
async function forge(world: World, on: SlackMessage, user: string, actionId: string, value: string) {
  const { channel } = on;
  const before = world.slack.ephemerals(user, channel).length;
  await world.slack.press({ message: on, user, actionId, value, force: true });
  await world.pass(3 * SECOND);
  return world.slack.ephemerals(user, channel).slice(before).map(wordsOf).join('\n');
}

const approveOf = (job: number) => JSON.stringify({ job, seen: 0 });

describe('a job of a private channel', () => {
  it('is neither shown to a bidder of another channel nor approved by them', async () => {
    const { world, job } = await startSecretJob();
    const shown = await world.gig('data', `job ${job}`, 'cem');
    expect(asRead(world, shown)).toMatchSnapshot();
    for (const fact of [TITLE, 'Fast setup', 'review', world.slack.user('ben').id])
      expect(shown).not.toContain(fact);
    const here = lastNote(world, 'cem', 'data');
    const refused = await forge(world, here, 'cem', 'job_approve', approveOf(job));
    expect(refused).not.toContain(TITLE);
    expect(asRead(world, refused)).toMatchSnapshot();
    expect(approvals(world)).toEqual([]);
  });

  it.each(['job_refresh', 'proposal_show'])('is not read by a forged press of %s', async (action) => {
    const { world, job } = await startSecretJob();
    await world.gig('data', 'list', 'cem');
    await forge(world, lastNote(world, 'cem', 'data'), 'cem', action, String(job));
    const shown = wordsOf(lastNote(world, 'cem', 'data'));
    expect(shown).not.toContain('payroll');
    expect(asRead(world, shown)).toMatchSnapshot();
  });

  it('is not approved by a bidder of everywhere who is not in it', async () => {
    const { world, job } = await startSecretJob();
    world.slack.addUser({ name: 'eve', admin: true });
    world.slack.invite('data', 'eve');
    expect(await world.gig('data', `job ${job}`, 'eve')).not.toContain(TITLE);
    await forge(world, lastNote(world, 'eve', 'data'), 'eve', 'job_approve', approveOf(job));
    expect(approvals(world)).toEqual([]);
  });

  it('is shown to members anywhere and approved by its bidders; the audit names its channel', async () => {
    const { world, job } = await startSecretJob();
    expect(await world.gig('data', `job ${job}`, 'ben')).toContain(TITLE);
    await press(world, 'Approve', { message: lastNote(world, 'ben', 'data') }, 'ben', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
    const approved = audit.filter(({ act }) => act.kind === 'approve').map(({ channel }) => channel);
    expect(approved).toEqual([world.slack.channel('secret').id]);
    expect(await world.gig('data', 'audit')).toContain(`<#${world.slack.channel('secret').id}>`);
  });

  it('is refused to a member who is no bidder there, although they are one where they press', async () => {
    const { world, job } = await startSecretJob();
    world.slack.invite('secret', 'cem');
    expect(await world.gig('data', `job ${job}`, 'cem')).toContain(TITLE);
    await press(world, 'Approve', { message: lastNote(world, 'cem', 'data') }, 'cem', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toEqual([]);
    const told = lastNote(world, 'cem', 'data');
    expect(wordsOf(told)).toContain(refusalFor('bidder'));
    expect(buttonsOf(told, actionIds.accessAsk)).toEqual([]);
  });

  it('stays closed while Slack does not say who is in it, and opens when it does', async () => {
    const { world, job } = await startSecretJob();
    const fault = world.slack.injectFault('users.conversations', SLACK_IS_OUT, Number.POSITIVE_INFINITY);
    const shown = await world.gig('data', `job ${job}`, 'ben');
    await world.pass(10 * SECOND);
    expect(shown).not.toContain(TITLE);
    expect(asRead(world, wordsOf(lastNote(world, 'ben', 'data')))).toMatchSnapshot();
    expect(await world.gig('secret', `job ${job}`, 'ben')).toContain(TITLE);
    fault.cancel();
    expect(await world.gig('data', `job ${job}`, 'ben')).toContain(TITLE);
  });

  it('gives its cover letter to nobody elsewhere who bids on the same project', async () => {
    const { world, project } = await startSecretJob({ alsoIn: 'data' });
    const bid = `${SETUP}:${project.ciphertext.replace('~', '')}`;
    const card = cardOf(world, project, 'data');
    await forge(world, card, 'cem', 'bid_open', bid);
    expect(JSON.stringify(world.slack.view('cem'))).toContain('Fast setup');
    expect(JSON.stringify(world.slack.view('cem'))).not.toContain(LETTER);
    await world.slack.closeView({ user: 'cem' });
    await forge(world, cardOf(world, project, 'secret'), 'ben', 'bid_open', bid);
    expect(JSON.stringify(world.slack.view('ben'))).toContain(LETTER);
  });
});

describe('what a private channel spends and does', () => {
  it('stands in the status for its members; others get a sum, and nobody is asked for twice', async () => {
    const { world } = await startSecretJob();
    const secret = world.slack.channel('secret').id;
    await world.gig('secret', 'budget 500');
    const forBen = await world.gig('data', 'status', 'ben');
    expect(forBen).toMatch(new RegExp(`<#${secret}>\\D{1,9}1 of 500\\b`, 'u'));
    const forCem = await world.gig('data', 'status', 'cem');
    expect(forCem).not.toContain(secret);
    const spent = forCem.split('\n').find((it) => it.includes('1 of 500'));
    expect(asRead(world, spent ?? expect.fail('no budgets'))).toMatchSnapshot();
    // Everyone who may read a public channel in Slack can see its content here.
    expect(forCem).toContain(`<#${world.slack.channel('web').id}>`);
    const asked = world.slack.apiCalls('users.conversations').length;
    for (const channel of ['data', 'web', 'data']) await world.gig(channel, 'status', 'cem');
    expect(world.slack.apiCalls('users.conversations')).toHaveLength(asked);
    await world.pass(2 * MINUTE);
    world.slack.injectFault('users.conversations', SLACK_IS_OUT, Number.POSITIVE_INFINITY);
    const unsure = await world.gig('data', 'status', 'ben');
    expect(unsure).not.toContain(secret);
    expect(statusAsRead(world, unsure)).toMatchSnapshot();
    expect(await world.gig('secret', 'status', 'ben')).toContain(`<#${secret}>`);
  });

  it('is short of budget by name for its members alone', async () => {
    const { world } = await startSecretJob();
    const secret = world.slack.channel('secret').id;
    await world.gig('secret', 'budget 3');
    const [forBen = ''] = (await world.gig('data', 'status', 'ben')).split('\n');
    expect(firstSign(forBen)).toBe('octagonal_sign');
    expect(forBen).toContain(`<#${secret}>`);
    const forCem = await world.gig('data', 'status', 'cem');
    expect(firstSign(forCem)).toBe('octagonal_sign');
    expect(asRead(world, forCem.split('\n')[0] ?? '')).toMatchSnapshot();
    expect(forCem).not.toContain(secret);
  });

  it('stands in the audit log without details for an admin who is not in it', async () => {
    const { world, job } = await startSecretJob();
    world.slack.addUser({ name: 'eve', admin: true });
    world.slack.invite('data', 'eve');
    const secret = world.slack.channel('secret').id;
    const full = await world.gig('data', 'audit');
    for (const fact of [TITLE, 'Fast setup', `bid #${job}`, secret]) expect(full).toContain(fact);
    const shown = await world.gig('data', 'audit', 'eve');
    expect(asRead(world, shown)).toMatchSnapshot();
    for (const fact of [TITLE, 'Fast setup', `bid #${job}`, secret, 'filter 102'])
      expect(shown).not.toContain(fact);
  });
});

describe('a job of a public channel', () => {
  it('is approved from another channel by a bidder of its own, and by nobody else', async () => {
    const { world, project } = await startBidWorld({ reviews: true });
    onTestFinished(() => world.stop());
    const { slack } = world;
    slack.addUser({ name: 'cem' });
    slack.invite('data', 'cem');
    await grant(world, ['cem'], 'data');
    await press(world, 'Bid', { message: cardOf(world, project) }, 'ben');
    await world.pass(SECOND);
    await submitBid(world, 'ben', { cover_letter: LETTER });
    const { id } = onlyJob(world);
    // Full members may read every public channel, so they see its content.
    expect(await world.gig('data', `job ${id}`, 'cem')).toContain('Rebuild our checkout');
    await press(world, 'Approve', { message: lastNote(world, 'cem', 'data') }, 'cem', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toEqual([]);
    expect(wordsOf(lastNote(world, 'cem', 'data'))).toContain(`<#${slack.channel('web').id}>`);
    await world.gig('data', `job ${id}`, 'ben');
    await press(world, 'Approve', { message: lastNote(world, 'ben', 'data') }, 'ben', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    const news = threadOf(world, cardOf(world, project)).at(-1) ?? '';
    expect(news).toContain(`<@${slack.user('ben').id}>`);
    expect(asRead(world, news)).toMatchSnapshot();
  });
});

describe('a job that Gigdesk has no record of', () => {
  it('is approved by bidders of everywhere alone', async () => {
    const { world } = await startBidWorld({ reviews: true });
    onTestFinished(() => world.stop());
    const { marketplace } = world;
    const { id: projectId } = marketplace.publishProject(marketplace.addFilter().id, {
      title: 'From the dashboard',
    });
    const job = marketplace.addJob({ projectId, setupId: SETUP, status: 'pending_review' });
    expect(await world.gig('web', `job ${job.id}`, 'ben')).toContain(`#${job.id}`);
    await press(world, 'Approve', { message: lastNote(world, 'ben', 'web') }, 'ben', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toEqual([]);
    expect(wordsOf(lastNote(world, 'ben', 'web'))).toContain(refusalFor('bidder'));
    await world.gig('web', `job ${job.id}`);
    await press(world, 'Approve', { message: lastNote(world, 'ada', 'web') }, 'ada', 'accept');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
  });
});

describe('on a Home', () => {
  it('a forged job of a private channel is neither approved nor told of', async () => {
    const { world, job } = await startSecretJob();
    const home = new HomeAtHand(world);
    await home.open('cem');
    const value = approveOf(job);
    await world.slack.press({
      view: home.view('cem'),
      user: 'cem',
      actionId: 'home_review',
      value,
      force: true,
    });
    await world.pass(3 * SECOND);
    expect(approvals(world)).toEqual([]);
    expect(home.words('cem')).not.toContain(TITLE);
  });
});
