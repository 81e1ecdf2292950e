/** The proposal search through the whole app: copied from the marketplace, found, opened. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead, refusalFor } from './as-read.ts';
import { press as pressOn, viewOf, wordsOfView } from './bidder.ts';
import { startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

const PROFILE = 31;
const LETTER = `Dear client, ${'I have built many shops. '.repeat(210)}THE END`;

let world: World;

/** A profile with `count` past proposals, the newest for a garden shop. */
async function begin(past: number, options: WorldOptions = {}): Promise<void> {
  world = await startWorld(options);
  world.marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  for (let n = past - 1; n > 0; n--)
    world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: `Data job ${n}`,
      coverLetter: 'I clean data.',
      submittedAt: hoursAgo(n),
      isHired: false,
    });
  world.marketplace.addProposal({
    profileId: PROFILE,
    jobTitle: 'Garden shop',
    coverLetter: LETTER,
    submittedAt: hoursAgo(0.1),
    isHired: false,
    isViewed: true,
  });
}

function hoursAgo(hours: number) {
  return world.clock.now() - hours * HOUR;
}

/** Proposal pages requested from the marketplace. */
function pagesRead(): number {
  return world.marketplace.requests().filter(({ path }) => path === '/proposals').length;
}

async function follow(): Promise<void> {
  await world.gig('web', 'subscribe outcomes 31');
}

function answer(user = 'ada'): SlackMessage {
  return world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');
}

async function press(
  words: string,
  on: Parameters<typeof pressOn>[2] = { message: answer() },
): Promise<void> {
  await pressOn(world, words, on, 'ada');
  await world.pass(2 * SECOND);
}

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('the search of proposals', () => {
  beforeEach(() => begin(230));

  it('says how to begin, copies once, and finds by words, qualifiers and typing errors', async () => {
    expect(await world.gig('web', 'proposals')).toContain('/gig subscribe outcomes');
    await follow();
    await world.pass(2 * MINUTE);
    const newest = await world.gig('web', 'proposals');
    expect(newest).toMatch(/\b230\b/u);
    expect(newest).toContain('“Ada Webb” (31)');
    expect(newest.indexOf('Garden shop')).toBeLessThan(newest.indexOf('Data job 1'));
    const found = [
      await world.gig('web', 'proposals "garden shop" is:viewed'),
      await world.gig('web', 'proposals gardn'),
    ];
    for (const each of found) expect(each).toContain('Garden shop');
    for (const each of found) expect(each).not.toContain('Data job');
    const none = await world.gig('web', 'proposals is:hired garden');
    expect(none).not.toContain('Garden shop');
    // Below: the texts built from each proposal.
    expect([newest, ...found, none].map((it) => asRead(world, it).split('\n').slice(0, 4))).toMatchSnapshot();
    expect(await world.gig('web', 'proposals is:hird')).toContain('^^^^');
    expect(await world.gig('web', 'status')).toMatch(/\b230\b.*\b1\b/u);
    expect(world.marketplace.consumedCredits().total).toBe(0);
  });

  it('finds new proposals and their later outcomes, and copies nothing again after a restart', async () => {
    await follow();
    await world.pass(2 * MINUTE);
    const { id } = world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: 'Chairs',
      submittedAt: world.clock.now(),
      isViewed: false,
      isHired: false,
    });
    await world.pass(20 * MINUTE);
    const before = await world.gig('web', 'proposals chairs');
    expect(before).toContain('Chairs');
    world.marketplace.updateProposal(id, { isHired: true });
    await world.pass(20 * MINUTE);
    const hired = await world.gig('web', 'proposals is:hired chairs');
    expect(hired).toContain('Chairs');
    expect([before, hired].map((it) => asRead(world, it).split('\n').slice(0, 4))).toMatchSnapshot();
    await world.crash();
    const read = pagesRead();
    expect(read).toBeGreaterThan(2);
    await world.restart();
    await world.pass(5 * SECOND);
    expect(await world.gig('web', 'proposals')).toMatch(/\b231\b/u);
    expect(pagesRead() - read).toBeLessThan(3);
  });

  it('reads everyday words, and corrects mistakes with a press', async () => {
    await follow();
    await world.pass(2 * MINUTE);
    expect(await world.gig('web', 'proposals garden viewed today')).toContain('Garden shop');
    expect(wordsOf(answer())).toContain('is:viewed after:1d');
    await press('Search Exact Words');
    expect(wordsOf(answer())).not.toContain('Garden shop');

    await world.gig('web', 'proposals is:viewd garden');
    await press('Run Correction');
    expect(wordsOf(answer())).toContain('Garden shop');
    expect(world.marketplace.consumedCredits().total).toBe(0);
  });

  it('turns pages, and opens one with its whole letter, for the person alone', async () => {
    await follow();
    await world.pass(2 * MINUTE);
    await world.gig('web', 'proposals sort:oldest');
    await press('Next');
    expect(wordsOf(answer())).toMatch(/\b11\D{1,6}20\b/u);
    await press('Previous');
    expect(wordsOf(answer())).toMatch(/\b1\D{1,6}10\b/u);

    await press('Data job 225');
    expect(wordsOfView(viewOf(world, 'ada'))).toContain('I clean data.');
    await world.slack.closeView({ user: 'ada' });

    await world.gig('web', 'proposals garden');
    await press('Open');
    expect(wordsOfView(viewOf(world, 'ada'))).toContain('THE END');
    expect(world.slack.messages('web').map(wordsOf).join('\n')).not.toContain('Garden shop');
  });
});

describe('while the first copy runs', () => {
  it('what is there is found, and how far it has come is told', async () => {
    await begin(900, { requestsPerMinute: 5, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '5' } });
    await follow();
    await world.pass(MINUTE);
    const early = await world.gig('web', 'proposals');
    expect(early).toMatch(/\b\d\d%.*\b[1-8]00 of 900\b/u);
    expect(early).toContain('Garden shop');
    await world.pass(10 * MINUTE);
    expect(await world.gig('web', 'proposals')).toMatch(/\b900\b/u);
  });
});

describe('/gig proposals with an ID', () => {
  it('shows one of a profile that nobody follows, by its id and its uid, or that there is none', async () => {
    await begin(3);
    const { id, applicationUid } = world.marketplace.addProposal({
      profileId: PROFILE,
      jobTitle: 'Chairs',
      coverLetter: LETTER,
    });
    for (const words of [String(id), `#${id}`, applicationUid]) {
      const shown = await world.gig('web', `proposals ${words}`);
      expect(shown).toContain('*Chairs*');
      expect(shown).toContain('THE END');
    }
    const unknown = await world.gig('web', 'proposals 987654');
    expect(unknown).toContain('987654');
    expect(asRead(world, unknown)).toMatchSnapshot();
    expect(world.slack.messages('web')).toEqual([]);
  });

  it('is not for guests, nor is the search', async () => {
    await begin(3);
    world.slack.addUser({ name: 'gil', guest: 'single' });
    world.slack.invite('web', 'gil');
    for (const command of ['proposals', 'proposals 1']) {
      const refusal = await world.gig('web', command, 'gil');
      expect(refusal).not.toMatch(/job|shop/iu);
      expect(refusal).toContain(refusalFor('viewer', 'outsider'));
    }
  });
});
