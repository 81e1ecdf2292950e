/** The sandbox's prompt: bidding without a browser, as docs/sandbox.md shows it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { SANDBOX_PROFILES, SANDBOX_SENDERS, seedAgency } from '../../src/workbench/sandbox-agency.ts';
import { createHintTool } from '../../src/workbench/sandbox-hints.ts';
import { createMarketController } from '../../src/workbench/sandbox-market.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { SandboxProjects } from '../../src/workbench/sandbox-projects.ts';
import { runPromptLine } from '../../src/workbench/sandbox-prompt.ts';
import type { PromptContext, PromptLocation } from '../../src/workbench/sandbox-prompt-context.ts';
import { SANDBOX_TRAFFIC_PLAN, seedMarketplace } from '../../src/workbench/sandbox-seed.ts';
import { createSandboxTraffic, nextProposalStep } from '../../src/workbench/sandbox-traffic.ts';
import { renderMessageText, renderViewText } from '../../src/workbench/slack/text.ts';
import { type BidWorld, cardOf, creates, onlyJob, startBidWorld } from '../features/bidder.ts';
import { startWorld, type World, wordsOf } from '../features/world.ts';
import { seededRandom } from '../seeded-random.ts';

let bid: BidWorld;
let world: World;
let place: PromptLocation;
let printed: string[];
let prompt: PromptContext;

async function begin(reviews = false): Promise<void> {
  bid = await startBidWorld({ reviews });
  world = bid.world;
  sitDown('ben');
}

/** At the prompt, in #web. */
function sitDown(person: string): void {
  place = { channel: 'web', person };
  printed = [];
  prompt = {
    slack: world.slack,
    marketplace: world.marketplace,
    market: createMarketController(world.marketplace, world.clock, seededRandom(5), (ms) => world.pass(ms)),
    place,
    typed: new Map(),
    print: (text) => printed.push(text),
    show: (on) => ('callbackId' in on ? renderViewText(on) : renderMessageText(on)),
  };
}

/** Types lines, one after the other. Returns the new output. */
async function type(...lines: readonly string[]): Promise<string> {
  const from = printed.length;
  for (const line of lines) {
    expect(await runPromptLine(prompt, line)).toBe(true);
    await world.pass(3 * SECOND);
  }
  return printed.slice(from).join('\n');
}

const modal = () => {
  const view = world.slack.view(place.person);
  return view ? renderViewText(view) : '';
};
const shownTo = (user: string) =>
  wordsOf(world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('nothing'));

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('a hint', () => {
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    sitDown('ada');
    const { slack, marketplace, clock } = world;
    const random = seededRandom(5);
    prompt = {
      ...prompt,
      market: createMarketController(marketplace, clock, random, (ms) => world.pass(ms), {
        projects: new SandboxProjects(marketplace, clock, random),
        hints: createHintTool(slack, () => world.address(), globalThis.fetch),
      }),
    };
  });

  it('needs the address, which an admin opens, and makes Gigdesk read the filter next', async () => {
    expect(await type('hinted')).toMatch(/settings.*Hints/u);
    expect(world.marketplace.projects()).toEqual([]);
    await type('/gig settings', 'press Hints');
    expect(await type('hinted')).toMatch(/hint sent/u);
    expect(world.marketplace.projects()).toHaveLength(1);
    expect(await type('close', '/gig settings', 'press Hints')).toBeDefined();
    expect(modal()).toMatch(/Last hint/u);
    expect(modal()).not.toMatch(/none yet/u);
    await type('press Rotate Secret', 'close');
    expect(await type('hinted')).toMatch(/hint sent/u);
  });
});

describe('a form at the prompt', () => {
  beforeEach(() => begin());

  it('is opened, filled in by its labels, sent, and tells what came of it', async () => {
    await type('press Bid');
    expect(modal()).toMatchSnapshot();
    expect(await type('fill Cover letter = Dear client\\nHello = bye')).toBe(
      '(Cover letter: Dear client\\nHello = bye)',
    );
    await type('fill Which shops = Two', 'fill bid_amount = 500', 'submit');
    expect(modal()).toContain(`#${onlyJob(world).id}`);
    expect(modal()).toMatchSnapshot();
    expect(creates(world)[0]?.body).toMatchObject({
      cover_letter: 'Dear client\nHello = bye',
      bid_amount: 500,
      answers: [{ question: 'Which shops have you built?', answer: 'Two' }],
    });
    const sent = world.slack.sentRequests().length;
    expect(await type('submit')).toMatchSnapshot();
    expect(await type('press Claim')).toMatchSnapshot();
    expect(world.slack.sentRequests()).toHaveLength(sent);
    // Once the modal is closed, a press reaches the card again.
    await type('close', 'press Details');
    expect(world.slack.sentRequests().length).toBeGreaterThan(sent);
    expect(await type('thread')).toContain('Rebuild our checkout');
  });

  it('tells mistakes at their fields, and keeps what was typed', async () => {
    await type('press Bid', 'fill bid_amount = 3', 'fill cover_letter = Kept');
    const told = await type('submit');
    expect(told).toMatch(/^\(.*\b5 .*1,000,000.*\)$/u);
    expect(told).toMatchSnapshot();
    await type('fill bid_amount = 300', 'submit');
    expect(creates(world)[0]?.body).toMatchObject({ bid_amount: 300, cover_letter: 'Kept' });
  });

  it('changes as menus are chosen from, and keeps what was typed before', async () => {
    await type('press Bid', 'fill cover_letter = Typed before');
    const offered = await type('choose when');
    expect(offered.split('\n')).toHaveLength(4);
    expect(offered).toMatchSnapshot();
    expect(await type('choose when = tomorrow')).toMatchSnapshot();
    await type('choose when = at');
    expect(await type('fill at = soon')).toMatchSnapshot();
    await type('fill at = 2030-12-01 09:30', 'submit');
    expect(creates(world)[0]?.body).toMatchObject({
      scheduled_at: '2030-12-01T09:30:00.000Z',
      cover_letter: 'Typed before',
    });
  });

  it('forgets what stood in an input that is gone by now', async () => {
    await type('press Bid', 'choose when = in-minutes', 'fill in_minutes = 20');
    await type('choose when = as-set-up', 'submit');
    expect(creates(world)[0]?.body).not.toHaveProperty('scheduled_in');
  });

  it.each([
    'fill Colour = red',
    'fill cover_letter',
    'choose cover_letter',
    'fill',
    'fill __proto__ = x',
    '__proto__',
    'job',
    'job sends',
    'trouble constructor',
  ])('answers %s with what would be right', async (line) => {
    await type('press Bid');
    const before = modal();
    const answer = await type(line);
    expect(answer).not.toBe('');
    expect(answer).toMatchSnapshot();
    expect(modal()).toBe(before);
  });

  it.each(['fill a = b', 'choose a = b', 'submit', 'close'])(
    'says of %s that no modal is open',
    async (line) => {
      const sent = world.slack.sentRequests().length;
      expect(await type(line)).toMatchSnapshot();
      expect(world.slack.sentRequests()).toHaveLength(sent);
    },
  );
});

describe('what a newcomer can try', () => {
  it('Review shows what an approval sends, before it does', async () => {
    await begin(true);
    await type('press Bid', 'submit', 'close');
    await type('as ada', 'press Review');
    const asked = modal();
    expect(asked).toMatch(new RegExp(`Rebuild our checkout[\\s\\S]*#${onlyJob(world).id}\\b`, 'u'));
    expect(asked).toMatchSnapshot();
    expect(onlyJob(world).status).toBe('pending_review');
    await type('submit');
    expect(onlyJob(world).status).toBe('scheduled');
  });

  it('trouble is what the page can order, until it is called off', async () => {
    await begin();
    const { marketplace } = world;
    expect(await type('trouble slow')).toContain(' 5 s ');
    expect(await type('trouble')).toContain('429, 500, drop, slow, lost, credits, refill');
    await type('trouble credits');
    expect(marketplace.creditsRemaining()).toBe(0);
    await type('trouble refill');
    expect(marketplace.creditsRemaining()).toBe(10_000);
    expect(await type('trouble off')).toMatchSnapshot();
    await type('press Bid', 'submit');
    expect(onlyJob(world).status).toBe('scheduled');
  });

  it('a bid whose answer is lost is checked, and not repeated', async () => {
    await begin();
    await type('trouble lost', 'press Bid', 'submit');
    expect(modal()).toMatchSnapshot();
    await type('press Check');
    expect(modal()).toMatchSnapshot();
    expect(creates(world)).toHaveLength(1);
  });

  it.each([
    ['sends', 'completed'],
    ['fails', 'failed'],
  ])('job %s ends the latest job, and the card tells of it', async (word, status) => {
    await begin();
    await type('press Bid', 'submit', 'close');
    const { id } = onlyJob(world);
    const before = wordsOf(cardOf(world, bid.project));
    expect(await type(`job ${word}`)).toContain(String(id));
    expect(onlyJob(world).status).toBe(status);
    await type(`/gig job ${id}`);
    const after = wordsOf(cardOf(world, bid.project));
    expect(after).not.toBe(before);
    expect(after.match(/^:dart: .*$/gmu)).toMatchSnapshot();
  });

  it('roles are given by names', async () => {
    await begin();
    place.person = 'ada';
    await type('/gig access');
    expect(await type('fill Bidders = zoe')).toContain('zoe');
    await type('fill Bidders = ben, @ada');
    await type('submit');
    expect(modal()).toBe('');
    await type('/gig access');
    expect(modal()).toContain(`[@${world.slack.user('ben').id}, @${world.slack.user('ada').id} ▾]`);
    expect(shownTo('ada')).toContain(`<@${world.slack.user('ada').id}>`);
  });
});

describe('a Home at the prompt', () => {
  beforeEach(() => begin());

  const home = () => {
    const view = world.slack.home(place.person);
    return view ? renderViewText(view) : '';
  };

  it('is opened, pressed in, and left for a channel', async () => {
    await type('press Claim', 'home');
    expect(home()).toContain('[Release]');
    await type('press Release');
    expect(home()).not.toContain('[Release]');
    const told = await type('press Claim');
    expect(told).toMatch(/“Claim”.*#web/u);
    expect(told).toMatchSnapshot();
    await type('press Settings');
    expect(modal()).not.toBe('');
    await type('close', '#new-projects');
    expect(place).toMatchObject({ channel: 'new-projects', atHome: false });
    expect(await type('home')).toMatch(/\(.*\bben\b/u);
    await type('as ada');
    expect(place.atHome).toBe(false);
  });
});

describe('the agency in the sandbox', () => {
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 900 });
    world.marketplace.publishProject(900);
    seedAgency(world.marketplace, world.clock, seededRandom(7));
    sitDown('ada');
  });

  /** All content of the channel. */
  const standing = () => world.slack.messages('web').map(wordsOf).join('\n');

  it('has sent some 120 proposals in the last months, of which a few led to a hire', () => {
    const proposals = world.marketplace.proposals();
    expect(proposals).toHaveLength(120);
    const hired = proposals.filter((it) => it.isHired);
    expect(hired.length).toBeGreaterThan(2);
    expect(hired.length).toBeLessThan(30);
    for (const it of proposals) {
      if (it.isHired) expect(it.isInterviewed).toBe(true);
      if (it.isInterviewed) expect(it.isViewed).toBe(true);
      if (it.isWithdrawn) expect(it.isViewed).toBe(false);
      expect(world.clock.now() - it.submittedAt).toBeLessThan(121 * 24 * HOUR);
    }
  });

  it('is followed by its name, and searched', async () => {
    await type('/gig subscribe outcomes "Northwind Agency"', '/gig subscribe invitations Keiko Tanaka');
    expect(standing()).toContain('“Northwind Agency” (301)');
    expect(standing()).toContain('“Keiko Tanaka” (302)');
    await world.pass(3 * MINUTE);
    await type('/gig proposals is:hired');
    expect(shownTo('ada')).toMatch(/\d .*`is:hired`/u);
    // The menu below the results names each proposal.
    await type('press Fix our Airflow');
    expect(modal()).toContain('Fix our Airflow loads');
    expect(modal()).toMatchSnapshot();
  });

  it('lives: invitations to projects that can be bid on, and outcomes, arrive at the channel', async () => {
    await type(
      '/gig subscribe outcomes 301',
      '/gig subscribe invitations 301',
      '/gig subscribe invitations 302',
    );
    await world.pass(2 * MINUTE);
    const before = standing().length;
    const { marketplace, clock } = world;
    const random = seededRandom(3);
    const projects = new SandboxProjects(marketplace, clock, random);
    const plan = { ...SANDBOX_TRAFFIC_PLAN, livelyMs: 15 * MINUTE };
    const life = createSandboxTraffic(marketplace, projects, clock, random, plan);
    life.start();
    await world.pass(15 * MINUTE);
    life.stop();
    const since = standing().slice(before);
    expect(since).toContain(':envelope_with_arrow:');
    expect(since).toContain('Open Proposal');
    expect(world.slack.messages('web').some((it) => findPressable(it, 'Details'))).toBe(true);
    const changes = world.marketplace.proposals();
    await world.pass(HOUR);
    expect(world.marketplace.proposals()).toEqual(changes);
  });

  it('what the page can make happen comes about at a word, too', async () => {
    const { marketplace, clock } = world;
    const before = marketplace.projects().length;
    const said: string[] = [await type('publish')];
    expect(marketplace.projects()).toHaveLength(before + 1);
    said.push(await type('invitation'));
    const proposals = JSON.stringify(marketplace.proposals());
    said.push(await type('outcome'));
    expect(JSON.stringify(marketplace.proposals())).not.toBe(proposals);
    said.push(await type('jobs'));
    const at = clock.now();
    said.push(await type('hour'));
    expect(said).toMatchSnapshot();
    expect(clock.now() - at).toBeGreaterThanOrEqual(HOUR);
    const help = await type('help');
    for (const word of ['hour', 'invitation', 'slow', 'refill']) expect(help).toContain(word);
  });

  it('builds a template at the prompt, to its end', async () => {
    await type(
      '/gig template new',
      'fill Name = My first',
      'choose Sender = Northwind',
      'choose Contractor = Mara',
      'submit',
    );
    await type('fill Hourly rate = 45', 'submit', 'fill Instructions = Be kind.\\nBe short.', 'submit');
    await type(
      'fill Variant A = Hello',
      'submit',
      'press Add Answer',
      'fill Question = Why?',
      'fill Answer = So.',
    );
    await type('choose How questions = contains', 'submit', 'submit');
    expect(modal()).toMatch(/\b6 of 6\b/u);
    await type('submit');
    expect(modal()).toContain(`#${world.marketplace.templates().at(-1)?.id}`);
    expect(world.marketplace.templates().at(-1)).toMatchObject({
      name: 'My first',
      sender: { name: 'Mara Lind', organization: SANDBOX_SENDERS[0].label },
      ai: { instructions: 'Be kind.\nBe short.' },
      cover_letters: { variant_a: 'Hello' },
      answers: [{ question: 'Why?', answer: 'So.', match_type: 'contains' }],
    });
  });
});

describe('the steps of a proposal in the sandbox', () => {
  const sent = {
    isViewed: false,
    isInterviewed: false,
    isHired: false,
    isWithdrawn: false,
    boost: 0,
    boostOutbid: false,
  };
  const never = () => 0.99;

  it('lead from sent to hired, and end there', () => {
    expect(nextProposalStep(never, sent)).toEqual({ isViewed: true });
    expect(nextProposalStep(never, { ...sent, isViewed: true })).toEqual({ isInterviewed: true });
    expect(nextProposalStep(never, { ...sent, isViewed: true, isInterviewed: true })).toEqual({
      isHired: true,
    });
    expect(nextProposalStep(never, { ...sent, isHired: true })).toBeUndefined();
    expect(nextProposalStep(never, { ...sent, isWithdrawn: true })).toBeUndefined();
  });

  it('may end before that', () => {
    expect(nextProposalStep(() => 0, { ...sent, boost: 5 })).toEqual({ boostOutbid: true });
    expect(nextProposalStep(() => 0, sent)).toEqual({ isWithdrawn: true });
  });
});

it('the sandbox begins with what its first commands and docs/sandbox.md name', async () => {
  world = await startWorld();
  seedMarketplace(world.marketplace, world.clock, seededRandom(1));
  sitDown('ada');
  for (const { id } of SANDBOX_PROFILES) await type(`/gig subscribe invitations ${id}`);
  await type('/gig setups', '/gig template from 1');
  expect(modal()).toContain('“Standard letter”');
});

it('a setup of the sandbox that has used up its limit has sent something, and says when', async () => {
  world = await startWorld();
  seedMarketplace(world.marketplace, world.clock, seededRandom(1));
  sitDown('ada');
  await type('/gig setups');
  expect(shownTo('ada')).toMatch(/^Low daily limit · .*\b5 of 5\b.* · 142$/mu);
  expect(shownTo('ada')).toMatch(/\*Low daily limit\*[^*]*\blast proposal <!date\^/u);
});
