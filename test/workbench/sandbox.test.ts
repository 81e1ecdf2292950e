/** The sandbox's prompt: bidding without a browser, as the README tells it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { Place, Prompt } from '../../src/workbench/sandbox-place.ts';
import { obey } from '../../src/workbench/sandbox-prompt.ts';
import { renderText, renderView } from '../../src/workbench/slack/text.ts';
import { type BidWorld, cardOf, creates, onlyJob, startBidWorld } from '../features/bidder.ts';
import { type World, wordsOf } from '../features/world.ts';

let bid: BidWorld;
let world: World;
let place: Place;
let printed: string[];
let prompt: Prompt;

async function begin(reviews = false): Promise<void> {
  bid = await startBidWorld({ reviews });
  world = bid.world;
  place = { channel: 'web', person: 'ben' };
  printed = [];
  prompt = {
    slack: world.slack,
    marketplace: world.marketplace,
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
