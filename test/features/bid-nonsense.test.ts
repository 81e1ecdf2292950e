/** Nonsense arguments of bidding commands and forged press values: one clear answer, and nothing is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { refusalFor } from './as-read.ts';
import {
  approvals,
  type BidWorld,
  cardOf,
  creates,
  onlyJob,
  openBid,
  SETUP,
  startBidWorld,
  submitBid,
  viewOf,
} from './bidder.ts';
import { expectHealthy } from './healthy.ts';
import { readBidBooks } from './read-bid-books.ts';
import { inviteOthers, isOutsider, NONSENSE, shownBy } from './strangers.ts';
import { FAST, type World } from './world.ts';

let bid: BidWorld;
let world: World;
beforeAll(async () => {
  bid = await startBidWorld({
    reviews: true,
    ...FAST,
  });
  world = bid.world;
  world.slack.setRateLimits('off');
  inviteOthers(world);
  await openBid(world, bid.project);
  await submitBid(world);
  await world.slack.closeView({ user: 'ben' });
});
afterAll(async () => {
  expect(creates(world)).toHaveLength(1);
  expect(approvals(world)).toEqual([]);
  expect(onlyJob(world).status).toBe('pending_review');
  expectHealthy(world);
  await world.stop();
});

const ask = (text: string, user = 'ada') =>
  shownBy(world, user, () => world.slack.runSlashCommand({ user, channel: 'web', text }));

const BESIDES = ["'; DROP TABLE bids; --", '{"job":1,"seen":0}', 'javascript:alert(1)'] as const;

describe.each(['bid', 'job', 'setups', 'access', 'audit'])('/gig %s', (command) => {
  it.each([...NONSENSE, ...BESIDES])('%# is answered once, with what would be right', async (nonsense) => {
    const { count, isModal, words } = await ask(`${command} ${nonsense}`);
    expect({ count, isModal }).toEqual({ count: 1, isModal: false });
    expect(words).toMatch(/`\/gig /u);
  });
});

describe('/gig bid', () => {
  it.each([
    ['~01 <!here> `x`', '&lt;!here&gt;'],
    [`~01 ${'y'.repeat(5_000)}`, 'yyyyy'],
    ['~01 __proto__', '`__proto__`'],
    ['<https://www.marketplace.example/jobs/~01|*x*>', 'Project ~01'],
  ])('%# opens the form and says what is not known', async (text, words) => {
    const shown = await ask(`bid ${text}`);
    expect(shown).toMatchObject({ count: 1, isModal: true });
    expect(shown.words).toContain(words);
  });

  it('links to the address that the marketplace told, not to one that somebody typed', async () => {
    const shown = await ask(`bid https://evil.example/${bid.project.ciphertext}`);
    expect(shown.words).toContain('Rebuild our checkout');
    expect(shown.words).not.toContain('evil.example');
    const other = world.marketplace.publishProject([], { title: 'Looked up' });
    await ask(`lookup ${other.ciphertext}`);
    const again = await ask(`bid https://evil.example/${other.ciphertext}`);
    expect(again.words).toContain('Looked up');
    expect(again.words).not.toContain('evil.example');
  });
});

const PRESSES = Object.entries(actionIds)
  .filter(([name]) => /^(?:bid|job|proposalShow$|setups|access|audit)/u.test(name))
  .map(([, id]) => id);

/** Press values; none of them is valid for any person here. */
const VALUES = () => [
  '',
  'null',
  '__proto__',
  'x'.repeat(2_000),
  JSON.stringify({ job: 99_999, seen: 0, own: true }),
  JSON.stringify({ job: onlyJob(world).id, seen: 7 }),
  `${SETUP}:0123`,
];

describe.each(['ada', 'ben', 'cem', 'gus', 'sam'])('a forged press of %s', (user) => {
  it.each(PRESSES)('%s ends in an answer', async (actionId) => {
    const message = cardOf(world, bid.project);
    for (const value of VALUES()) {
      const press = () => world.slack.press({ message, user, actionId, value, force: true });
      const { count, isModal, words } = await shownBy(world, user, press);
      expect({ value: value.slice(0, 40), count }).toEqual({ value: value.slice(0, 40), count: 1 });
      if (isOutsider(user)) expect(words).toContain(refusalFor('bidder', 'outsider'));
      if (user !== 'ada' && user !== 'ben') expect(isModal).toBe(false);
    }
  });
});

/** Changes of role lists that removed a person's role. */
async function rolesTaken() {
  const { audit } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
  return audit.filter(
    ({ act }) => act.kind === 'access-changed' && [...act.removed.users, ...act.removed.groups].length > 0,
  );
}

describe('a forged form', () => {
  it.each(['ben', 'ada'])('for another list or channel changes nothing for who may not: %s', async (user) => {
    await world.gig('web', 'access');
    await world.pass(SECOND);
    const { privateMetadata } = viewOf(world, 'ada');
    const place = JSON.parse(privateMetadata);
    const before = await rolesTaken();
    await world.slack.closeView({ user: 'ada' });
    const open = user === 'ada' ? () => world.gig('web', 'access') : () => openBid(world, bid.project, user);
    for (const forged of [
      '',
      '[]',
      'null',
      '{"channel":"C1"}',
      JSON.stringify({ ...place, channel: '__proto__' }),
      JSON.stringify({ ...place, scope: world.slack.channel('data').id }),
      JSON.stringify({ ...place, revision: -1 }),
      'x'.repeat(3_000),
    ]) {
      await open();
      await world.pass(SECOND);
      const shown = await shownBy(world, user, () =>
        world.slack.submitView({ user, forgedMetadata: forged }),
      );
      expect(shown.words).not.toBe('');
    }
    expect(await rolesTaken()).toEqual(before);
  });
});
