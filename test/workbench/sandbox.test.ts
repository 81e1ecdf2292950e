/** The sandbox's prompt: bidding without a browser, as the README tells it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { PROFILES, SENDERS, seedAgency } from '../../src/workbench/sandbox-agency.ts';
import { nextStep, startLife } from '../../src/workbench/sandbox-life.ts';
import { createMarketDesk } from '../../src/workbench/sandbox-market.ts';
import type { Place, Prompt } from '../../src/workbench/sandbox-place.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { obey } from '../../src/workbench/sandbox-prompt.ts';
import { LIFE, seedMarketplace } from '../../src/workbench/sandbox-seed.ts';
import { renderText, renderView } from '../../src/workbench/slack/text.ts';
import { type BidWorld, cardOf, creates, onlyJob, startBidWorld } from '../features/bidder.ts';
import { startWorld, type World, wordsOf } from '../features/world.ts';
import { seededRandom } from '../seeded-random.ts';

let bid: BidWorld;
let world: World;
let place: Place;
let printed: string[];
let prompt: Prompt;

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
    market: createMarketDesk(world.marketplace, world.clock, seededRandom(5), (ms) => world.pass(ms)),
    place,
    typed: new Map(),
    print: (text) => printed.push(text),
    show: (on) => ('callbackId' in on ? renderView(on) : renderText(on)),
  };
}

/** Types lines, one after the other; what was printed since. */
async function type(...lines: readonly string[]): Promise<string> {
  const from = printed.length;
  for (const line of lines) {
    expect(await obey(prompt, line)).toBe(true);
    await world.pass(3 * SECOND);
  }
  return printed.slice(from).join('\n');
}

const modal = () => {
  const view = world.slack.view(place.person);
  return view ? renderView(view) : '';
};
const shownTo = (user: string) =>
  wordsOf(world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('nothing'));

afterEach(async () => {
  expect(world.slack.errors()).toEqual([]);
  await world.stop();
});

describe('a form at the prompt', () => {
  beforeEach(() => begin());

  it('is opened, filled in by its labels, sent, and tells what came of it', async () => {
    await type('press Bid');
    expect(modal()).toContain('Cover letter (optional)');
    expect(await type('fill Cover letter = Dear client\\nHello = bye')).toBe(
      '(Cover letter: Dear client\\nHello = bye)',
    );
    await type('fill Which shops = Two', 'fill bid_amount = 500', 'submit');
    expect(modal()).toContain(`Your bid is created: job #${onlyJob(world).id}`);
    expect(creates(world)[0]?.body).toMatchObject({
      cover_letter: 'Dear client\nHello = bye',
      bid_amount: 500,
      answers: [{ question: 'Which shops have you built?', answer: 'Two' }],
    });
    expect(await type('submit')).toContain('This modal has nothing to send');
    expect(await type('press Claim')).toContain('The open modal has no “Claim”. `close` closes it');
    await type('close', 'press Claim');
    expect(wordsOf(cardOf(world, bid.project))).toContain('Claimed by');
    expect(await type('thread')).toContain('Rebuild our checkout');
  });

  it('tells mistakes at their fields, and keeps what was typed', async () => {
    await type('press Bid', 'fill bid_amount = 3', 'fill Cover letter = Kept');
    expect(await type('submit')).toBe('(at “Hourly rate, in $”: A bid is 5 to 1,000,000.)');
    await type('fill bid_amount = 30', 'submit');
    expect(creates(world)[0]?.body).toMatchObject({ bid_amount: 30, cover_letter: 'Kept' });
  });

  it('changes as menus are chosen from, and keeps what was typed before', async () => {
    await type('press Bid', 'fill Cover letter = Typed before');
    expect(await type('choose When')).toBe(
      'When:\n  As the setup schedules\n  In 15 to 60 minutes\n  At a date and time',
    );
    expect(await type('choose When = tomorrow')).toContain('“When” offers: As the setup schedules |');
    await type('choose When = At a date');
    expect(await type('fill Date and time = soon')).toBe('Write the moment like 2026-12-01 09:30, in UTC.');
    await type('fill Date and time = 2030-12-01 09:30', 'submit');
    expect(creates(world)[0]?.body).toMatchObject({
      scheduled_at: '2030-12-01T09:30:00.000Z',
      cover_letter: 'Typed before',
    });
  });

  it('forgets what stood in an input that is gone by now', async () => {
    await type('press Bid', 'choose When = In 15', 'fill In how many = 20', 'choose When = As the', 'submit');
    expect(creates(world)[0]?.body).not.toHaveProperty('scheduled_in');
  });

  it.each([
    ['fill Colour = red', 'No field here is called “Colour”. There are: Setup |'],
    ['fill Cover letter', 'Say what: fill Cover letter = …'],
    ['choose Cover letter', '“Cover letter” is no menu: fill it.'],
    ['fill', 'No field here is called “”'],
    ['fill __proto__ = x', 'No field here is called “__proto__”'],
    ['__proto__', 'Not understood.'],
    ['job', 'What becomes of the latest job'],
    ['job sends', 'There is no job yet.'],
    ['trouble constructor', 'Which trouble:'],
  ])('answers %s with what would be right', async (line, words) => {
    await type('press Bid');
    expect(await type(line)).toContain(words);
  });

  it.each(['fill a = b', 'choose a = b', 'submit', 'close'])(
    'says of %s that no modal is open',
    async (line) => {
      expect(await type(line)).toBe('No modal is open.');
    },
  );
});

describe('what a newcomer can try', () => {
  it('Approve tells what Slack asks first', async () => {
    await begin(true);
    await type('press Bid', 'submit', 'close');
    expect(await type('as ada', 'press Approve')).toContain(
      `(Slack asks first: Approve job #${onlyJob(world).id}?\n Job #${onlyJob(world).id} then bids on “Rebuild our checkout” with Fast setup, which spends connects.\n and you press [Approve], not [Not yet])`,
    );
    expect(onlyJob(world).status).toBe('scheduled');
  });

  it('trouble is what the page can order, until it is called off', async () => {
    await begin();
    const { marketplace } = world;
    expect(await type('trouble slow')).toContain('every request is answered 5 s late');
    expect(await type('trouble')).toBe('Which trouble: 429, 500, drop, slow, lost, credits, refill or off?');
    await type('trouble credits');
    expect(marketplace.creditsRemaining()).toBe(0);
    await type('trouble refill');
    expect(marketplace.creditsRemaining()).toBe(10_000);
    expect(await type('trouble off')).toContain('The trouble is over');
    await type('press Bid', 'submit');
    expect(onlyJob(world).status).toBe('scheduled');
  });

  it('a bid whose answer is lost is checked, and not repeated', async () => {
    await begin();
    await type('trouble lost', 'press Bid', 'submit');
    expect(modal()).toContain('No answer came');
    await type('press Check');
    expect(modal()).toContain('Still no answer to this bid');
    expect(creates(world)).toHaveLength(1);
  });

  it.each([
    ['sends', 'has become a proposal', /proposal sent/u],
    ['fails', 'has failed', /The client has closed the project/u],
  ])('job %s ends the latest job, and the card tells of it', async (word, said, told) => {
    await begin();
    await type('press Bid', 'submit', 'close');
    expect(await type(`job ${word}`)).toContain(said);
    await type(`/gig job ${onlyJob(world).id}`);
    expect(wordsOf(cardOf(world, bid.project))).toMatch(told);
  });

  it('roles are given by names', async () => {
    await begin();
    place.person = 'ada';
    await type('/gig access');
    expect(await type('fill Bidders = zoe')).toContain('Not all of these are people here: zoe');
    await type('fill Bidders = ben, @ada');
    expect(await type('submit')).toContain('(the modal has closed)');
    await type('/gig access');
    expect(modal()).toContain(`[@${world.slack.user('ben').id}, @${world.slack.user('ada').id} ▾]`);
    expect(shownTo('ada')).toContain(`<@${world.slack.user('ada').id}>`);
  });
});

describe('a Home at the prompt', () => {
  beforeEach(() => begin());

  const home = () => {
    const view = world.slack.home(place.person);
    return view ? renderView(view) : '';
  };

  it('is opened, pressed in, and left for a channel', async () => {
    await type('press Claim', 'home');
    expect(home()).toContain('Claimed by you');
    await type('press Release');
    expect(home()).not.toContain('Claimed by you');
    expect(await type('press Claim')).toBe('The Home has no “Claim”. #web leads back to the channel.');
    await type('press Settings');
    expect(modal()).not.toBe('');
    await type('close', '#new-projects');
    expect(place).toMatchObject({ channel: 'new-projects', atHome: false });
    expect(await type('home')).toContain('(the Home of ben, as it stood;');
    await type('as ada');
    expect(place.atHome).toBe(false);
  });
});

describe('the agency in the sandbox', () => {
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 900 });
    world.marketplace.publish(900);
    seedAgency(world.marketplace, world.clock, seededRandom(7));
    sitDown('ada');
  });

  /** All that stands in the channel. */
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
    expect(standing()).toContain('the outcomes of “Northwind Agency” (301)');
    expect(standing()).toContain('the invitations of “Keiko Tanaka” (302)');
    await world.pass(3 * MINUTE);
    await type('/gig proposals is:hired');
    expect(shownTo('ada')).toMatch(/\d proposals match.*`is:hired`/u);
    await type('press Open');
    expect(modal()).toContain('Cover letter');
  });

  it('lives: invitations to projects that can be bid on, and outcomes, arrive at the channel', async () => {
    await type(
      '/gig subscribe outcomes 301',
      '/gig subscribe invitations 301',
      '/gig subscribe invitations 302',
    );
    await world.pass(2 * MINUTE);
    const before = standing().length;
    const life = startLife(world.marketplace, world.clock, seededRandom(3), { ...LIFE, filterIds: [900] });
    await world.pass(15 * MINUTE);
    life.stop();
    const since = standing().slice(before);
    expect(since).toMatch(/Invitation: /u);
    expect(since).toMatch(/(?:Viewed|Interviewed|Hired|Withdrawn|Boost outbid).*: /u);
    expect(world.slack.messages('web').some((it) => findPressable(it, 'Details'))).toBe(true);
    const changes = world.marketplace.proposals();
    await world.pass(HOUR);
    expect(world.marketplace.proposals()).toEqual(changes);
  });

  it('what the page can make happen comes about at a word, too', async () => {
    const { marketplace, clock } = world;
    const before = marketplace.projects().length;
    expect(await type('publish')).toContain('(A project was published.');
    expect(marketplace.projects()).toHaveLength(before + 1);
    expect(await type('invitation')).toContain('(A client sent an invitation.');
    expect(await type('outcome')).toContain('(A proposal came further.');
    expect(await type('jobs')).toBe('No job is waiting for its time.');
    const at = clock.now();
    expect(await type('hour')).toBe('(An hour has passed.)');
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
      'press Add answer',
      'fill Question = Why?',
      'fill Answer = So.',
    );
    await type('choose How questions = contains', 'submit', 'submit');
    expect(modal()).toContain('Step 6 of 6');
    await type('submit');
    expect(modal()).toContain('is created');
    expect(world.marketplace.templates().at(-1)).toMatchObject({
      name: 'My first',
      sender: { name: 'Mara Lind', organization: SENDERS[0].label },
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
    expect(nextStep(never, sent)).toEqual({ isViewed: true });
    expect(nextStep(never, { ...sent, isViewed: true })).toEqual({ isInterviewed: true });
    expect(nextStep(never, { ...sent, isViewed: true, isInterviewed: true })).toEqual({ isHired: true });
    expect(nextStep(never, { ...sent, isHired: true })).toBeUndefined();
    expect(nextStep(never, { ...sent, isWithdrawn: true })).toBeUndefined();
  });

  it('may end before that', () => {
    expect(nextStep(() => 0, { ...sent, boost: 5 })).toEqual({ boostOutbid: true });
    expect(nextStep(() => 0, sent)).toEqual({ isWithdrawn: true });
  });
});

it('the sandbox begins with what its first commands and its README name', async () => {
  world = await startWorld();
  seedMarketplace(world.marketplace, world.clock, seededRandom(1));
  sitDown('ada');
  for (const { id } of PROFILES) await type(`/gig subscribe invitations ${id}`);
  await type('/gig setups', '/gig template from 1');
  expect(modal()).toContain('Started from template “Standard letter”');
});

it('a setup of the sandbox that has used up its limit has sent something, and says when', async () => {
  world = await startWorld();
  seedMarketplace(world.marketplace, world.clock, seededRandom(1));
  sitDown('ada');
  await type('/gig setups');
  expect(shownTo('ada')).toMatch(/\*Small quota\*[^*]*5 of 5 sent today · 142 in total\nlast run /u);
});
