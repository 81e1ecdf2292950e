/** Bids that go wrong: each ends in a clear sentence, nothing is sent twice, nothing that was typed is lost. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { faults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import {
  approvals,
  type BidWorld,
  cardOf,
  creates,
  grant,
  OTHER_SETUP,
  onlyJob,
  openBid,
  press,
  SETUP,
  startBidWorld,
  submitBid,
  threadOf,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { type World, wordsOf } from './world.ts';

const CREATE = { path: '/auto-bidding/jobs/create' };

let bid: BidWorld;
let world: World;
afterEach(() => world.stop());

async function begin(options: Parameters<typeof startBidWorld>[0] = {}) {
  bid = await startBidWorld(options);
  world = bid.world;
}

function card() {
  return cardOf(world, bid.project);
}

function shownTo(user: string, channel = 'web'): string {
  return wordsOf(world.slack.ephemerals(user, channel).at(-1) ?? expect.fail(`${user} was shown nothing`));
}

describe('four outcomes', () => {
  it('skipped: the reason is told, and another try is a press away', async () => {
    await begin();
    world.marketplace.updateSetup(SETUP, { exhausted: 'monthly limit' });
    await openBid(world, bid.project);
    await submitBid(world);
    expect(wordsOfView(viewOf(world, 'ben'))).toMatch(/monthly limit/u);
    expect(wordsOf(card())).toMatch(/skipped/iu);
    expect(wordsOf(card())).toMatch(/monthly limit/u);
    expect(threadOf(world, card()).join('\n')).toMatch(/skipped/iu);
    world.marketplace.updateSetup(SETUP, { exhausted: undefined } as object);
    expect(findPressable(card(), 'Try again')).toBeDefined();
  });

  it('refused: the words of the API, and the form opens again with all that was typed', async () => {
    await begin();
    world.marketplace.fault(CREATE, faults.status(400, 'This client blocks agencies <!channel>'));
    await openBid(world, bid.project);
    await submitBid(world, 'ben', { cover_letter: 'My long letter', bid_amount: '250' });
    const told = wordsOfView(viewOf(world, 'ben'));
    expect(told).toContain('This client blocks agencies');
    expect(told).not.toContain('<!channel>');
    await press(world, 'Open again', { view: viewOf(world, 'ben') });
    await world.pass(2 * SECOND);
    const again = wordsOfView(viewOf(world, 'ben'));
    expect(again).toContain('My long letter');
    expect(again).toContain('250');
    await submitBid(world);
    expect(world.marketplace.jobs()).toHaveLength(1);
    expect(creates(world)).toHaveLength(2);
    expect(onlyJob(world)).toMatchObject({ coverLetter: 'My long letter', bidAmount: 250 });
  });

  it('refused with a job: that job is shown and followed', async () => {
    await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'scheduled',
    });
    await openBid(world, bid.project);
    await submitBid(world);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain(String(id));
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('exists already');
    await world.pass(MINUTE);
    world.marketplace.settleJob(id, { status: 'failed', errorMessage: 'The client closed the job' });
    await world.pass(2 * HOUR);
    expect(threadOf(world, card()).join('\n')).toContain('The client closed the job');
  });

  it.each([
    ['the connection broke after the job was made', { kind: 'drop', when: 'after' }, 1],
    ['the connection broke before', { kind: 'drop', when: 'before' }, 0],
    ['a 500', faults.status(500), 0],
  ] as const)(
    'unknown, %s: said so, checked without effects, tried again only by a person',
    async (_, effect, made) => {
      await begin();
      world.marketplace.fault(CREATE, effect);
      await openBid(world, bid.project);
      await submitBid(world, 'ben', { cover_letter: 'My long letter' });
      expect(world.marketplace.jobs()).toHaveLength(made);
      expect(wordsOfView(viewOf(world, 'ben'))).toMatch(/no answer/iu);
      expect(wordsOf(card())).toMatch(/no answer/iu);
      await world.pass(10 * MINUTE);
      expect(creates(world)).toHaveLength(1);
      await press(world, 'Check', { message: card() });
      await world.pass(2 * SECOND);
      expect(shownTo('ben')).toMatch(/\/gig job/u);
      expect(creates(world)).toHaveLength(1);
      await press(world, 'Try again', { message: card() });
      await world.pass(2 * SECOND);
      expect(wordsOfView(viewOf(world, 'ben'))).toContain('My long letter');
      await submitBid(world);
      expect(creates(world)).toHaveLength(2);
      const job = onlyJob(world);
      await world.pass(MINUTE);
      expect(wordsOf(card())).toContain(`#${job.id}`);
    },
  );

  it('unknown: the id that the dashboard shows settles it', async () => {
    await begin();
    world.marketplace.fault(CREATE, { kind: 'drop', when: 'after' });
    await openBid(world, bid.project);
    await submitBid(world);
    const job = onlyJob(world);
    expect(await world.gig('web', `job ${job.id}`, 'ben')).toContain(String(job.id));
    await world.pass(10 * SECOND);
    expect(wordsOf(card())).toContain(`#${job.id}`);
    expect(wordsOf(card())).not.toMatch(/no answer/iu);
    expect(findPressable(card(), 'Try again')).toBeUndefined();
  });
});

describe('more than one press', () => {
  it('a double click on submit makes one job', async () => {
    await begin();
    const view = await openBid(world, bid.project);
    const values = { setup: String(SETUP) };
    await Promise.all([
      world.slack.submitView({ user: 'ben', view, values }),
      world.slack.submitView({ user: 'ben', view, values }),
    ]);
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
  });

  it('two people at once make one job, and the second is told who was first', async () => {
    await begin();
    await grant(world, ['ben']);
    const both = ['ada', 'ben'];
    for (const user of both) await openBid(world, bid.project, user);
    await Promise.all(both.map((user) => world.slack.submitView({ user, values: { setup: String(SETUP) } })));
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
    const told = both.map((user) => wordsOfView(viewOf(world, user))).join('\n');
    expect(told).toMatch(/created/u);
    expect(told).toMatch(/Nothing was sent/u);
    expect(told).toContain(`Bid by <@`);
  });

  it('a form that was open while somebody else bid sends nothing', async () => {
    await begin();
    await openBid(world, bid.project, 'ben');
    await openBid(world, bid.project, 'ada');
    await submitBid(world, 'ada');
    const answer = await submitBid(world, 'ben');
    expect(JSON.stringify(answer.errors)).toContain(String(onlyJob(world).id));
    expect(creates(world)).toHaveLength(1);
  });

  it('another setup may bid on the same project; the marketplace decides, and names the first job', async () => {
    await begin();
    world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'active' });
    await world.pass(2 * MINUTE);
    await world.gig('web', 'setups');
    await openBid(world, bid.project);
    await submitBid(world);
    await press(world, 'Bid with another setup', { message: card() });
    await world.pass(2 * SECOND);
    await submitBid(world, 'ben', { setup: String(OTHER_SETUP) });
    expect(creates(world)).toHaveLength(2);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain(String(onlyJob(world).id));
  });
});

describe('bad input', () => {
  it.each([
    ['an amount below 5', { bid_amount: '4.99' }, 'bid_amount'],
    ['an amount above a million', { bid_amount: '1,000,001' }, 'bid_amount'],
    ['no number', { bid_amount: 'a lot' }, 'bid_amount'],
    ['half a connect', { boost: '1.5' }, 'boost'],
    ['a job id that is none', { job_id: 'the react one' }, 'job_id'],
    ['a letter of blanks', { cover_letter: '   ' }, 'cover_letter'],
    ['an answer of blanks', { answer_0: '  \n ' }, 'answer_0'],
  ])('%s is refused at its field, and nothing is sent', async (_, values, field) => {
    await begin();
    await openBid(world, bid.project);
    const answer = await submitBid(world, 'ben', values);
    expect(answer.action).toBe('errors');
    expect(Object.keys(answer.errors)).toEqual([field]);
    expect(creates(world)).toEqual([]);
  });

  it('a time in the past, and minutes out of bounds', async () => {
    await begin();
    await openBid(world, bid.project);
    await world.slack.choose({ view: viewOf(world, 'ben'), user: 'ben', actionId: 'bid_when', option: 'at' });
    await world.pass(2 * SECOND);
    const past = await submitBid(world, 'ben', { at: Math.floor(world.clock.now() / 1000) - 60 });
    expect(Object.keys(past.errors)).toEqual(['at']);
    await world.slack.choose({
      view: viewOf(world, 'ben'),
      user: 'ben',
      actionId: 'bid_when',
      option: 'in-minutes',
    });
    await world.pass(2 * SECOND);
    const soon = await submitBid(world, 'ben', { in_minutes: '14' });
    expect(Object.keys(soon.errors)).toEqual(['in_minutes']);
    expect(creates(world)).toEqual([]);
    await submitBid(world, 'ben', { in_minutes: '15' });
    expect(creates(world)[0]?.body).toMatchObject({ scheduled_in: 15 });
  });

  it('a letter of 5,000 characters in two inputs arrives to the character; one more is refused', async () => {
    await begin();
    await openBid(world, bid.project);
    await press(world, 'Room for longer texts', { view: viewOf(world, 'ben') });
    await world.pass(2 * SECOND);
    const [first, second] = [`\u{1F680}${'a'.repeat(2_998)}`, 'b'.repeat(2_001)];
    const long = await submitBid(world, 'ben', { cover_letter: first, 'cover_letter~2': `${second}c` });
    expect(Object.keys(long.errors)).toEqual(['cover_letter']);
    await submitBid(world, 'ben', { cover_letter: first, 'cover_letter~2': second });
    expect(onlyJob(world).coverLetter).toBe(first + second);
  });

  it('a setup that vanished while the form was open', async () => {
    await begin();
    await openBid(world, bid.project);
    world.marketplace.fault(CREATE, faults.status(404, 'Auto bidding setup not found'));
    await submitBid(world);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Auto bidding setup not found');
  });

  it('a refused token is said for what it is', async () => {
    await begin();
    world.marketplace.fault(CREATE, faults.status(401, 'Unauthorized'));
    await openBid(world, bid.project);
    await submitBid(world);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('MARKETPLACE_API_TOKEN');
  });

  it.each(['nonsense', '', 'https://example.com/'])('/gig bid %s gets a sentence', async (text) => {
    await begin();
    expect(await world.gig('web', `bid ${text}`, 'ben')).not.toBe('');
  });

  it('/gig bid with a setup that is none opens the form and says so', async () => {
    await begin();
    await world.gig('web', 'bid ~0123 Nighty', 'ben');
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Nighty');
  });

  it.each(['', 'x', '-1', '1.5', '99999999999999999999', '~1'])(
    '/gig job %s gets a sentence',
    async (text) => {
      await begin();
      expect(await world.gig('web', `job ${text}`, 'ben')).toMatch(/\/gig job/u);
    },
  );
});

describe('who may', () => {
  it('a viewer is refused, asks for access, and bids once an admin has granted it', async () => {
    await begin();
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    await press(world, 'Bid', { message: card() }, 'cem');
    await world.pass(2 * SECOND);
    expect(world.slack.view('cem')).toBeUndefined();
    const refusal = world.slack.ephemerals('cem', 'web').at(-1) ?? expect.fail('nothing was shown');
    await press(world, 'Request access', { message: refusal }, 'cem');
    await world.pass(5 * SECOND);
    const request =
      world.slack.messages('web').find((it) => findPressable(it, 'Grant')) ?? expect.fail('no request');
    await press(world, 'Grant', { message: request }, 'ben');
    await world.pass(3 * SECOND);
    await press(world, 'Bid', { message: card() }, 'cem');
    await world.pass(2 * SECOND);
    expect(world.slack.view('cem')).toBeUndefined();
    await press(world, 'Grant', { message: request }, 'ada');
    await world.pass(5 * SECOND);
    expect(findPressable(world.slack.message('web', request.ts) ?? request, 'Grant')).toBeUndefined();
    await openBid(world, bid.project, 'cem');
    await submitBid(world, 'cem');
    expect(creates(world)).toHaveLength(1);
  });

  it('a bidder whose role was taken away while the form was open sends nothing, and is told', async () => {
    await begin();
    await openBid(world, bid.project);
    await grant(world, []);
    await submitBid(world);
    expect(creates(world)).toEqual([]);
    const told = [...world.slack.ephemerals('ben', 'web').map(wordsOf), wordsOfView(viewOf(world, 'ben'))];
    expect(told.join('\n')).toMatch(/bidders/u);
  });

  it('a guest stays an outsider although a list names them', async () => {
    await begin();
    world.slack.addUser({ name: 'gil', guest: 'single' });
    world.slack.invite('web', 'gil');
    await grant(world, ['ben', 'gil']);
    await press(world, 'Bid', { message: card() }, 'gil');
    await world.pass(2 * SECOND);
    expect(world.slack.view('gil')).toBeUndefined();
    expect(shownTo('gil')).toMatch(/guests/iu);
  });

  it('a form with the id of another person, or none, finds nothing and sends nothing', async () => {
    await begin();
    await openBid(world, bid.project, 'ada');
    const stolen = viewOf(world, 'ada');
    const own = await openBid(world, bid.project, 'ben');
    for (const privateMetadata of [stolen.privateMetadata, '', '{"a":1}', '__proto__', 'x'.repeat(3_000)]) {
      await world.slack.submitView({
        user: 'ben',
        view: own,
        values: { setup: String(SETUP) },
        forgedMetadata: privateMetadata,
      });
      await world.pass(2 * SECOND);
    }
    expect(creates(world)).toEqual([]);
  });

  it('a forged approval of a viewer does nothing', async () => {
    await begin({ reviews: true });
    await openBid(world, bid.project);
    await submitBid(world);
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    const value = JSON.stringify({ job: onlyJob(world).id, seen: 0 });
    await world.slack.press({ message: card(), user: 'cem', actionId: 'job_approve', value, force: true });
    for (const wrong of ['', '{}', '{"job":-1,"seen":0}', '{"job":"1","seen":0}', '[1]', 'null'])
      await world.slack.press({
        message: card(),
        user: 'ben',
        actionId: 'job_approve',
        value: wrong,
        force: true,
      });
    await world.pass(5 * SECOND);
    expect(approvals(world)).toEqual([]);
  });
});

describe('approving', () => {
  it('two people at once approve once', async () => {
    await begin({ reviews: true });
    await openBid(world, bid.project);
    await submitBid(world);
    await Promise.all([
      press(world, 'Approve', { message: card() }, 'ada'),
      press(world, 'Approve', { message: card() }, 'ben'),
    ]);
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    expect(onlyJob(world).status).toBe('scheduled');
  });

  it('without an answer it is not repeated; the state of the job settles it', async () => {
    await begin({ reviews: true });
    await openBid(world, bid.project);
    await submitBid(world);
    world.marketplace.fault({ path: '/auto-bidding/jobs/*/approve' }, { kind: 'drop', when: 'after' });
    await press(world, 'Approve', { message: card() });
    await world.pass(10 * MINUTE);
    expect(approvals(world)).toHaveLength(1);
    const told = threadOf(world, card());
    expect(told.at(-1)).toMatch(/approved/iu);
    expect(findPressable(card(), 'Approve')).toBeUndefined();
  });

  it('of a job that nobody here made works, too, and is followed', async () => {
    await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'pending_review',
      wasAiDisqualified: true,
      qualificationReason: 'Too small a budget',
    });
    await world.gig('data', `job ${id}`);
    const shown = world.slack.ephemerals('ada', 'data').at(-1) ?? expect.fail('nothing shown');
    await press(world, 'Approve', { message: shown }, 'ada');
    await world.pass(5 * SECOND);
    expect(approvals(world)).toHaveLength(1);
    world.marketplace.settleJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await world.pass(5 * MINUTE);
    const told = world.slack.messages('data').flatMap((it) => world.slack.thread('data', it.ts).map(wordsOf));
    expect(told.join('\n')).toContain('Too small a budget');
    expect(told.join('\n')).toContain('Out of connects');
  });
});

describe('following', () => {
  it('a state that nobody documented is shown as it is', async () => {
    await begin();
    await openBid(world, bid.project);
    await submitBid(world);
    world.marketplace.fault(
      { path: '/auto-bidding/jobs/*/status' },
      faults.wrongJson({
        success: true,
        job: { id: onlyJob(world).id, status: 'on_the_moon', status_title: '' },
      }),
    );
    await world.pass(5 * MINUTE);
    expect(threadOf(world, card()).join('\n')).toContain('on_the_moon');
  });

  it('ends after 48 h; Refresh asks anew', async () => {
    await begin();
    await openBid(world, bid.project);
    await submitBid(world);
    await world.gig('web', 'unsubscribe filter 101');
    await world.pass(50 * HOUR);
    const asked = world.marketplace.requests().length;
    await world.pass(5 * HOUR);
    expect(world.marketplace.requests().length).toBe(asked);
    await press(world, 'Refresh', { message: card() });
    await world.pass(5 * SECOND);
    expect(world.marketplace.requests().length).toBe(asked + 1);
    world.marketplace.settleJob(onlyJob(world).id, { status: 'failed', errorMessage: 'Too late' });
    await world.pass(HOUR);
    expect(threadOf(world, card()).join('\n')).toContain('Too late');
  });
});
