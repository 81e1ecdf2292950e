/** Invalid input is rejected at its field, and nothing is sent. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE } from './bidder.ts';

describe('bad input', () => {
  it.each([
    ['an amount below 5', { bid_amount: '4.99' }, 'bid_amount'],
    ['an amount above a million', { bid_amount: '1,000,001' }, 'bid_amount'],
    ['no number', { bid_amount: 'a lot' }, 'bid_amount'],
    ['half a connect', { boost: '1.5' }, 'boost'],
    ['a letter of blanks', { cover_letter: '   ' }, 'cover_letter'],
    ['an answer of blanks', { answer_0: '  \n ' }, 'answer_0'],
  ])('%s is refused at its field, and nothing is sent', async (_, values, field) => {
    const { bid } = await begin();
    await bid.open();
    const answer = await bid.submit('ben', values);
    expect(answer.action).toBe('errors');
    expect(Object.keys(answer.errors)).toEqual([field]);
    expect(bid.creates()).toEqual([]);
  });

  it('a time in the past, and minutes out of bounds', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await world.slack.chooseOption({ view: bid.view(), user: 'ben', actionId: 'bid_when', option: 'at' });
    await world.pass(2 * SECOND);
    const past = await bid.submit('ben', { at: Math.floor(world.clock.now() / 1000) - 60 });
    expect(Object.keys(past.errors)).toEqual(['at']);
    await world.slack.chooseOption({
      view: bid.view(),
      user: 'ben',
      actionId: 'bid_when',
      option: 'in-minutes',
    });
    await world.pass(2 * SECOND);
    const soon = await bid.submit('ben', { in_minutes: '14' });
    expect(Object.keys(soon.errors)).toEqual(['in_minutes']);
    expect(bid.creates()).toEqual([]);
    await bid.submit('ben', { in_minutes: '15' });
    expect(bid.creates()[0]?.body).toMatchObject({ scheduled_in: 15 });
  });

  /** Types a letter of that many characters into as many inputs as it needs, and sends it. */
  async function sendLetter(bid: BidAtHand, characters: number) {
    await bid.open();
    await bid.pressOnScreen('Add More Space');
    await bid.world.pass(2 * SECOND);
    const text = `\u{1F680}${'a'.repeat(characters - 1)}`;
    const fields: Record<string, string> = {};
    for (let part = 0; part * 3_000 < text.length; part++)
      fields[part === 0 ? 'cover_letter' : `cover_letter~${part + 1}`] = text.slice(
        part * 3_000,
        (part + 1) * 3_000,
      );
    return { text, answer: await bid.submit('ben', fields) };
  }

  it.each([5_001, 8_990])('a letter of %i characters arrives to the character', async (characters) => {
    const { bid } = await begin();
    const { text } = await sendLetter(bid, characters);
    expect(bid.job().coverLetter).toBe(text);
  });

  it('a letter that is too long for the marketplace is refused in its words, and kept', async () => {
    const { bid, world } = await begin();
    world.marketplace.setModes({ longestJobText: 5_000 });
    const { text } = await sendLetter(bid, 5_001);
    expect(bid.screen()).toContain('cover_letter must be at most 5000 characters');
    await bid.pressOnScreen('Open Again');
    await world.pass(2 * SECOND);
    expect(bid.screen()).toContain(text.slice(-2_000));
    world.marketplace.setModes({ longestJobText: 6_000 });
    await bid.submit();
    expect(bid.job().coverLetter).toBe(text);
  });

  it('a letter of more than 10,000 characters is refused at its field', async () => {
    const { bid } = await begin();
    const { answer } = await sendLetter(bid, 10_001);
    expect(Object.keys(answer.errors)).toEqual(['cover_letter']);
    expect(bid.creates()).toEqual([]);
  });

  it('a setup that vanished while the form was open', async () => {
    const { bid, world } = await begin();
    await bid.open();
    world.marketplace.injectFault(CREATE, presetFaults.status(404, 'Auto bidding setup not found'));
    await bid.submit();
    expect(bid.screen()).toContain('Auto bidding setup not found');
  });

  it('a refused token is said for what it is', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, presetFaults.status(401, 'Unauthorized'));
    await bid.open();
    await bid.submit();
    expect(bid.screen()).toContain('MARKETPLACE_API_TOKEN');
  });

  it.each(['nonsense', '', 'https://example.com/'])('/gig bid %s gets a sentence', async (text) => {
    const { world } = await begin();
    expect(await world.gig('web', `bid ${text}`, 'ben')).not.toBe('');
  });

  it('/gig bid takes the digits of a known project for its ~id, and holds the form to it', async () => {
    const { bid, world } = await begin();
    const { ciphertext } = bid.project;
    await world.gig('web', `bid ${ciphertext.slice(1)}`, 'ben');
    expect(bid.screen()).toContain(bid.project.title);
    expect(bid.screen()).not.toContain('job_id');
    await bid.submit();
    expect(bid.creates().map(({ body }) => body)).toMatchObject([{ marketplace_job_id: ciphertext }]);
  });

  it('/gig bid with the digits of a ~id shows what was bid by its uid', async () => {
    const { bid, world } = await begin();
    const other = world.marketplace.publishProject([], { title: 'Looked up', clientQuestions: [] });
    await world.gig('web', `lookup ${other.ciphertext}`, 'ben');
    await world.gig('web', `bid ${other.uid}`, 'ben');
    await bid.submit();
    await world.gig('web', `bid ${other.ciphertext.slice(1)}`, 'ben');
    expect(bid.screen()).toContain(`#${bid.job().id}`);
  });

  it('/gig bid with a setup that is none opens the form and says so', async () => {
    const { bid, world } = await begin();
    await world.gig('web', 'bid ~0123 Nighty', 'ben');
    expect(bid.screen()).toContain('Nighty');
  });

  it.each(['', 'x', '-1', '1.5', '99999999999999999999', '~1'])(
    '/gig job %s gets a sentence',
    async (text) => {
      const { world } = await begin();
      expect(await world.gig('web', `job ${text}`, 'ben')).toMatch(/\/gig job/u);
    },
  );
});
