/** The funnel and tried rules through the whole app: projects found, claimed, bid on, viewed, hired. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { cards } from '../../src/feed/records.ts';
import { TeamId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { cardOf, grant, openBid, press, SETUP, submitBid } from './bidder.ts';
import { pressButton } from './buttons.ts';
import { SubscriptionForm } from './subscription-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

const PROFILE = 31;
let world: World;

async function begin(): Promise<void> {
  world = await startWorld();
  const { marketplace } = world;
  marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  for (const [id, name] of [
    [101, 'React work'],
    [102, 'Node work'],
  ] as const) {
    marketplace.addFilter({ id, name });
    marketplace.addSetup({ filter: { id, name }, status: 'inactive' });
  }
  marketplace.addSetup({
    id: SETUP,
    name: 'Fast setup',
    filter: { id: 101, name: 'React work' },
    status: 'active',
    biddingDelayMinutes: 5,
    dailyProposalsLimit: 20,
    proposalsSentToday: 0,
    reviewsJobs: false,
  });
}

type Published = ReturnType<World['marketplace']['publishProject']>;

function publish(title: string, amount: number, filters: number | readonly number[] = 101): Published {
  return world.marketplace.publishProject(typeof filters === 'number' ? filters : [...filters], {
    title,
    usOnly: false,
    ukOnly: false,
    clientQuestions: [],
    budget: { type: 'fixed', fixedAmount: amount },
  });
}

interface Outcome {
  readonly isViewed?: boolean;
  readonly isInterviewed?: boolean;
  readonly isHired?: boolean;
}

/** Sends a bid, and lets the marketplace make a proposal of it with this outcome. */
async function bid(project: Published, outcome: Outcome): Promise<void> {
  await openBid(world, project);
  await submitBid(world);
  const { marketplace } = world;
  const job = marketplace.jobs().find(({ projectId }) => projectId === project.id) ?? expect.fail('no job');
  const { applicationUid } = marketplace.addProposal({
    profileId: PROFILE,
    submittedAt: world.clock.now(),
    isViewed: false,
    isInterviewed: false,
    isHired: false,
    isWithdrawn: false,
    isInvitation: false,
    ...outcome,
  });
  marketplace.updateJob(job.id, { status: 'completed', applicationUid });
}

function answer(user = 'ada'): SlackMessage {
  return world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');
}

/** The number of projects at each step of the answer's first funnel. */
function stepsOf(words: string): Record<string, number> {
  return Object.fromEntries(
    [...words.matchAll(/^\*(\d+) (found|matched|posted|claimed|bid|viewed|interviewed|hired)\*/gmu)].map(
      ([, count, step]) => [step, Number(count)],
    ),
  );
}

function expectNoRequests(before: { readonly requests: number; readonly credits: number }): void {
  const { marketplace } = world;
  const charged = marketplace
    .requests()
    .slice(before.requests)
    .filter(({ path }) => !path.includes('/filters/'));
  expect(charged.filter(({ path }) => path.includes('lookup') || path.includes('results'))).toEqual([]);
  expect(marketplace.consumedCredits().total).toBe(before.credits);
}

function costs() {
  return {
    requests: world.marketplace.requests().length,
    credits: world.marketplace.consumedCredits().total,
  };
}

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

/** One project for each step, and one for each reason that doesn't need time. */
async function workThroughProjects(): Promise<void> {
  await world.gig('web', 'subscribe filter 101 -wordpress');
  await world.gig('web', 'subscribe filter 102');
  await world.gig('web', 'subscribe outcomes 31');
  await world.gig('web', 'budget 1000');
  await grant(world, ['ben']);
  await world.pass(20 * SECOND);
  const hired = publish('Hired shop', 900);
  const interviewed = publish('Interviewed <!channel> shop', 800);
  const viewed = publish('Viewed shop', 700, [101, 102]);
  const sent = publish('Sent shop', 600);
  const claimed = publish('Claimed shop', 500);
  const skipped = publish('Skipped shop', 400);
  publish('Unclaimed shop', 300);
  publish('WordPress shop', 200);
  await world.pass(MINUTE);
  await bid(hired, { isHired: true });
  await bid(interviewed, { isInterviewed: true });
  await bid(viewed, { isViewed: true });
  await bid(sent, {});
  await press(world, 'Claim', { message: cardOf(world, claimed) });
  await world.pass(SECOND);
  await press(world, 'Skip', { message: cardOf(world, skipped) });
  await world.pass(SECOND);
  await world.slack.submitView({ user: 'ben', values: {} });
  // The jobs are read until their proposals are known.
  await world.pass(20 * MINUTE);
}

describe('/gig stats funnel', () => {
  beforeEach(() => begin());

  it('follows projects from found to hired, by filter, and says what each step loses', async () => {
    await workThroughProjects();
    const before = costs();
    const words = await world.gig('web', 'stats funnel');
    expectNoRequests(before);
    expect(stepsOf(words)).toEqual({
      found: 8,
      matched: 7,
      posted: 7,
      claimed: 5,
      bid: 4,
      viewed: 3,
      interviewed: 2,
      hired: 1,
    });
    expect(words).toMatch(/“React work” \(101\) · 8 · 7 · 7 · 5 · 4 · 3 · 2 · 1/u);
    expect(words).toMatch(/“Node work” \(102\) · 1 · 1 · 1 · 1 · 1 · 1 · 0 · 0/u);
    expect(asRead(world, words)).toMatchSnapshot();
  });

  it('counts a period, by channel only those that the reader may see', async () => {
    await workThroughProjects();
    world.slack.addChannel({ name: 'secret', private: true, members: ['ben'] });
    await world.gig('secret', 'subscribe filter 102', 'ben');
    await world.gig('data', 'subscribe filter 102');
    await world.pass(20 * SECOND);
    publish('Another shop', 100, [102]);
    await world.pass(MINUTE);
    const words = await world.gig('web', 'stats funnel 7 by channel');
    expect(words).toContain(`<#${world.slack.channel('web').id}>`);
    expect(words).toContain(`<#${world.slack.channel('data').id}>`);
    expect(words).not.toContain(world.slack.channel('secret').id);
    expect(words).toMatch(/left out/u);
    expect(await world.gig('secret', 'stats funnel by channel', 'ben')).toContain(
      `<#${world.slack.channel('secret').id}>`,
    );
    // The same project in two channels counts once in all.
    expect(stepsOf(words)['found']).toBe(9);
    await pressButton(world, { message: answer() }, 'By Filter');
    await world.pass(2 * SECOND);
    expect(wordsOf(answer())).toContain('“React work” (101)');
    expect(stepsOf(wordsOf(answer()))).toMatchObject({ found: 9, hired: 1 });
    expect(asRead(world, wordsOf(answer()))).toMatchSnapshot();
  });

  it('is a press away from the statistics, says what is wrong, and refuses forged presses', async () => {
    await world.gig('web', 'subscribe filter 101');
    expect(await world.gig('web', 'stats funnel 900')).toContain('stats funnel 14 by channel');
    const words = await world.gig('web', 'stats funnel');
    expect(words).toMatch(/No projects/u);
    const message = answer();
    for (const value of ['', '{}', '{"days":0,"by":"filter"}', '{"days":7,"by":"people"}', 'x'.repeat(2_000)])
      await world.slack.press({
        message,
        user: 'ada',
        actionId: actionIds.statsFunnel,
        blockId: message.blocks.at(-1)?.block_id ?? '',
        value,
      });
    await world.pass(5 * SECOND);
    expect(wordsOf(answer())).toContain('out of date');
  });
});

/** What the feed decided to post, in summaries, too. */
function postedIn(channel: string): Promise<ReadonlySet<string>> {
  const { slack } = world;
  const prefix = [TeamId.parse(slack.team.id), slack.channel(channel).id] as const;
  return world.read(async (tx) => {
    const all = await tx.list(cards, { prefix, limit: 100 });
    return new Set(all.filter(({ value }) => value.state === 'posted').map(({ value }) => value.project));
  });
}

describe('trying rules', () => {
  beforeEach(() => begin());

  it('agrees with what the feed decides with those rules for the same projects', async () => {
    const rules = 'budget:>450 -hired';
    await world.gig('web', 'subscribe filter 101 -wordpress');
    await world.gig('data', `subscribe filter 101 ${rules}`);
    await world.gig('web', 'budget 1000');
    await world.gig('data', 'budget 1000');
    await world.pass(20 * SECOND);
    const words = ['hired', 'wordpress', 'viewed', 'sent', 'unclaimed', 'claimed', 'skipped', 'Node'];
    for (let n = 0; n < 24; n++) publish(`A ${words[n % 8]} shop ${n}`, 100 + 37 * n);
    await world.pass(3 * MINUTE);
    const today = await postedIn('web');
    const other = await postedIn('data');
    expect(other.size).toBeGreaterThan(0);
    expect(other.size).toBeLessThan(24);
    const before = costs();
    const tried = await world.gig('web', `try 101 ${rules}`);
    expectNoRequests(before);
    expect(tried).toMatch(new RegExp(`\\*${other.size} of 24 projects\\*.*now: ${today.size},`, 'u'));
    const hidden = [...today].filter((each) => !other.has(each)).length;
    const added = [...other].filter((each) => !today.has(each)).length;
    expect(tried).toContain(`${hidden} would be hidden, ${added} would be added`);
    expect(await world.gig('data', 'try 101 -wordpress')).toContain(
      `*${today.size} of 24 projects* from “React work” (101) in the last 14 days would be shown ` +
        `(now: ${other.size}`,
    );
    expect(await world.gig('web', 'try 101 -wordpress')).toMatch(/same projects as today/u);
  });

  it('names hidden projects that the team took on, and those that it won', async () => {
    await workThroughProjects();
    const words = await world.gig('web', 'try "React work" budget:>650 budget:<850');
    expect(words).toMatch(/\*2 of 8 projects\*.*now: 7,/u);
    expect(words).toMatch(/• <https[^>]*\|Hired shop>: hired/u);
    expect(words).toMatch(/• <https[^>]*\|Sent shop>: bid on/u);
    expect(words).toMatch(/• <https[^>]*\|Claimed shop>: claimed/u);
    expect(words).toMatch(/won:\*\n• <https[^>]*\|Interviewed &lt;!channel&gt; shop>: interviewed/u);
    // “Node work” found it, too, and still shows it.
    const narrow = await world.gig('web', 'try 101 budget:>850');
    expect(narrow).toMatch(/still shows 1 /u);
    expect(narrow).not.toContain('Viewed shop');
    expect(asRead(world, words)).toMatchSnapshot();
    expect(asRead(world, await world.gig('web', 'try 101'))).toMatchSnapshot();
  });

  it('says what is wrong, and works for a filter that the channel does not follow', async () => {
    expect(await world.gig('web', 'try')).toContain('/gig try 123');
    expect(await world.gig('web', 'try 101 budget:>lots')).toContain('/gig try 101 ');
    expect(await world.gig('web', 'try 101 budget:>5')).toMatch(/no projects/u);
    await world.gig('data', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    publish('A shop', 500);
    await world.pass(MINUTE);
    expect(await world.gig('web', 'try filter 101 budget:>5')).toMatch(
      /\*1 of 1 project\*.*doesn't follow the filter/u,
    );
  });

  it('looks at the last projects known where the subscription found nothing yet', async () => {
    await world.gig('data', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    publish('A shop', 500);
    publish('A small shop', 100);
    await world.pass(MINUTE);
    await world.gig('web', 'subscribe filter 101 budget:>50');
    await world.gig('web', 'try 101');
    const form = new SubscriptionForm(world);
    await form.openWith(answer(), 'Edit Subscription');
    await form.press('Preview Rules', { 'min-budget': '300' });
    expect(form.words()).toMatch(/Of the last 2 projects of this filter, \*1 would be posted\*/u);
  });

  it('is Preview in the form of a subscription, and saves nothing', async () => {
    await workThroughProjects();
    const form = new SubscriptionForm(world);
    await world.gig('web', 'try 101 budget:>650');
    await form.openWith(answer(), 'Edit Subscription');
    await form.press('Preview Rules', { 'min-budget': '850' });
    expect(form.words()).toMatch(/\*1 of 8 projects\*/u);
    expect(form.words()).toMatch(/now: 7,/u);
    await form.press('Preview Rules', { 'min-budget': 'lots' });
    expect(form.words()).toContain('Enter an amount of dollars');
    await form.close();
    expect(await world.gig('web', 'list')).toContain('-wordpress');
  });
});
