/** The bid form through the whole app: the setup that fits, what it sends, and letters that worked. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { begin as beginBid } from './begin-bid.ts';
import { addSlowSetup, fieldOf, OTHER_SETUP, SETUP } from './bidder.ts';
import { expectHealthy } from './healthy.ts';

const PROFILE = 31;

interface Offered {
  readonly block_id: string;
  readonly accessory: { readonly action_id: string; readonly value: string };
}

async function begin() {
  const begun = await beginBid();
  const { world } = begun;
  onTestFinished(() => expectHealthy(world));
  addSlowSetup(world);
  return begun;
}

describe('the setup of a form', () => {
  it('is the one last used for the filter, with what it sends, and both follow another choice', async () => {
    const { bid, world } = await begin();
    // The stored setups are refreshed after this time.
    await world.pass(5 * MINUTE);
    await bid.open('ada');
    await world.pass(2 * SECOND);
    await world.slack.submitView({ user: 'ada', values: { setup: String(OTHER_SETUP) } });
    await world.pass(3 * SECOND);
    const next = world.marketplace.publishProject(101, { title: 'Another shop', clientQuestions: [] });
    await world.until('the card', () => world.told('web').includes(next.ciphertext), MINUTE);
    await world.gig('web', `bid ${next.ciphertext}`, 'ben');
    await world.pass(SECOND);
    expect(bid.screen()).toMatch(/last used for filter “React work”/u);
    expect(bid.screen()).toContain('I work at night.');
    expect(bid.screenAsRead()).toMatchSnapshot();
    await world.slack.chooseOption({
      view: bid.view(),
      user: 'ben',
      actionId: 'bid_setup',
      option: String(SETUP),
      values: { bid_amount: '88' },
    });
    await world.pass(2 * SECOND);
    expect(bid.screen()).not.toContain('I work at night.');
    expect(bid.screen()).not.toMatch(/last used/u);
    expect(bid.screen()).toContain('88');
    await world.slack.submitView({ user: 'ben' });
    await world.pass(3 * SECOND);
    expect(bid.creates().at(-1)?.body).toMatchObject({ setup_id: SETUP, bid_amount: 88 });
  });
});

describe('a letter that worked', () => {
  it('is inserted with one press, keeps what else was typed, and is sent', async () => {
    const { bid, world } = await begin();
    world.marketplace.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
    for (let n = 1; n <= 24; n++)
      world.marketplace.addProposal({
        profileId: PROFILE,
        jobTitle: n % 6 === 0 ? `Checkout ${n} in React` : `Data job ${n}`,
        coverLetter: `Letter number ${n}`,
        submittedAt: world.clock.now() - (n + 7) * (DAY / 2),
        isHired: n === 6,
        isInterviewed: n % 6 === 0,
        isInvitation: false,
        connects: 10,
      });
    await world.gig('web', 'subscribe outcomes 31');
    await world.pass(2 * MINUTE);
    await bid.open();
    await world.pass(2 * SECOND);
    const words = bid.screen();
    expect(words).toContain('Letter number 6');
    expect(words.match(/Use Letter"/gu)).toHaveLength(3);
    expect(words).not.toContain('Letter number 1"');
    const stats = await world.gig('web', 'stats');
    const [, each = ''] = /([\d,]+ connects) per interview/u.exec(stats) ?? expect.fail(stats);
    expect(words).toContain(each);
    const values = { bid_amount: '77', cover_letter: 'My own', answer_0: 'Three shops' };
    const letters = bid.view().blocks.find((block) => JSON.stringify(block).includes('Letter number 6'));
    const { block_id: blockId, accessory } = letters as unknown as Offered;
    await world.slack.press({
      view: bid.view(),
      user: 'ben',
      blockId,
      actionId: accessory.action_id,
      value: accessory.value,
      values,
    });
    await world.pass(2 * SECOND);
    const field = fieldOfLetter(bid.view().blocks);
    expect(field).not.toBe('cover_letter');
    expect(fieldOf(bid.view(), 'bid_amount')).toBe('bid_amount');
    await world.crash();
    await world.restart();
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(3 * SECOND);
    expect(bid.creates().map(({ body }) => body)).toMatchObject([
      { bid_amount: 77, cover_letter: 'Letter number 6', answers: [{ answer: 'Three shops' }] },
    ]);
  });
});

function fieldOfLetter(blocks: readonly { readonly block_id: string }[]): string {
  const ids = blocks.map(({ block_id: id }) => id);
  return ids.find((id) => id.startsWith('cover_letter')) ?? expect.fail(ids.join(' '));
}
