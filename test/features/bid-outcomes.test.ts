/** Each outcome of a bid is said with what to do next; nothing is sent twice, and no typed text is lost. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, FAST_SETUP, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const LETTER = { 'Cover letter': 'My long letter' };
const textOf = (replies: readonly { text: string }[]) => replies.map((it) => it.text).join('\n');

appTest.for([undefined, 200, 400] as const)(
  'a skipped bid says why, is followed, and may be tried again (HTTP %s)',
  async (skippedIsNoSuccess, { market, ada, ben, pass }) => {
    if (skippedIsNoSuccess) market.service.setModes({ skippedIsNoSuccess });
    market.service.updateSetup(FAST_SETUP.id, { exhausted: 'monthly limit' });
    const card = await market.publish().cardIn('web');
    const answer = await sendBid(ben, card);
    const [job] = market.jobs;
    expect(answer.text).toContain(`#${job?.id}`);
    expect(answer.text).toContain('monthly limit');
    await pass(MINUTE);
    expect(card.text).toMatch(new RegExp(`monthly limit.*#${job?.id}`, 'u'));
    expect((await ada.type('/gig audit')).text).toContain(`#${job?.id}`);
    market.service.updateSetup(FAST_SETUP.id, { exhausted: undefined } as object);
    const again = await (await ben.press(card, 'Try Again')).send();
    expect(again.text).toContain(`Bid created (bid #${market.jobs[1]?.id})`);
    expect(market.requests(PATHS.bid)).toHaveLength(2);
  },
);

appTest('a created bid shows what the marketplace says of it, shortened', async ({ market, ben }) => {
  const published = market.publish();
  const card = await published.cardIn('web');
  const job = { id: 1, marketplace_job_id: published.project.ciphertext, status: 'scheduled' };
  const json = { success: true, message: `Low on connects ${'x'.repeat(5_000)}`, job };
  market.fail(PATHS.bid, { kind: 'answer', status: 200, carriedOut: true, json });
  const { text } = await sendBid(ben, card);
  expect(text).toContain('Low on connects xxx');
  expect(text.length).toBeLessThan(1_000);
});

appTest.for([
  ['in the words of the API', presetFaults.status(400, 'This client blocks agencies'), 'blocks agencies'],
  ['with its setup gone', presetFaults.status(404, 'Auto bidding setup not found'), 'setup not found'],
  ['for its token', presetFaults.status(401, 'Unauthorized'), 'MARKETPLACE_API_TOKEN'],
] as const)('a bid refused %s keeps all that was typed', async ([, effect, words], { market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  market.fail(PATHS.bid, effect);
  const form = await ben.press(card, 'Bid');
  const refused = await form.send({ 'Bidding setup': 'Fast', ...LETTER, 'Fixed-price bid': '250' });
  expect(refused.text).toContain(words);
  expect(card.text).toContain('rejected');
  expect((await ada.press(card, 'Try Again')).text).toContain('[My long letter]');
  await (await refused.press('Open Again')).send();
  expect(market.requests(PATHS.bid)).toHaveLength(2);
  expect(market.jobs).toMatchObject([{ coverLetter: 'My long letter', bidAmount: 250 }]);
});

appTest('a job in a bid’s way is shown and followed', async ({ market, ben, pass }) => {
  const published = market.publish();
  const card = await published.cardIn('web');
  const job = { projectId: published.project.id, setupId: FAST_SETUP.id, status: 'scheduled' } as const;
  const { id } = market.service.addJob(job);
  expect((await sendBid(ben, card)).text).toMatch(new RegExp(`already exists[\\s\\S]*#${id}`, 'u'));
  await pass(MINUTE);
  market.service.updateJob(id, { status: 'failed', errorMessage: 'The client closed the job' });
  await pass(2 * HOUR);
  expect(textOf(card.replies())).toContain('The client closed the job');
});

describe('a bid without an answer', () => {
  appTest.for([
    ['the connection broke after the job was made', { kind: 'drop', when: 'after' }, 1],
    ['the connection broke before', { kind: 'drop', when: 'before' }, 0],
    ['the server failed', presetFaults.status(500), 0],
  ] as const)(
    'because %s is tried again only by a person',
    async ([, effect, made], { market, ada, ben, pass }) => {
      market.fail(PATHS.bid, effect);
      const card = await market.publish().cardIn('web');
      expect((await sendBid(ben, card, LETTER)).text).toContain("we don't know if the bid was created");
      expect(market.jobs).toHaveLength(made);
      await pass(10 * MINUTE);
      const home = await ben.home();
      expect(home.text).toContain('Rebuild our checkout');
      for (const offer of ['Continue', 'Discard']) expect(home.offers(offer)).toBe(false);
      expect((await home.press('Check')).offers('Check Again')).toBe(true);
      expect((await ada.home()).offers('Check')).toBe(false);
      expect((await ben.press(card, 'Check')).text).toContain('/gig job');
      expect(market.requests(PATHS.bid)).toHaveLength(1);
      await (await ben.press(card, 'Try Again')).send();
      expect(market.requests(PATHS.bid).map((it) => it.body)).toMatchObject([
        { cover_letter: 'My long letter' },
        { cover_letter: 'My long letter' },
      ]);
      // A job of the first attempt is in the second one's way: so that is the bid.
      await pass(MINUTE);
      expect(card.text).toContain(`#${market.jobs[0]?.id}`);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest('and without a card is tried again from its own message', async ({ market, ben }) => {
    const { project } = market.publish(SHOP, []);
    market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
    const form = await ben.type(`/gig bid ${project.ciphertext}`);
    await form.send({ 'Bidding setup': 'Fast', ...LETTER });
    await ben.close();
    const own = ben.reads('web').findLast((it) => it.offers('Try Again')) ?? expect.fail('no message');
    market.fail('/auto-bidding/setups', presetFaults.status(503), 9);
    const unreadable = await (await ben.press(own, 'Try Again')).press('Check');
    expect((await unreadable.press('Open Again')).text).toContain('[My long letter]');
    await ben.close();
    const again = await ben.press(own, 'Try Again');
    expect(again.text).toMatch(/\[Fast setup ▾\][\s\S]*\[My long letter\]/u);
    await again.send();
    expect(own.text).toContain(`#${market.jobs[0]?.id}`);
  });

  /** The first attempt made a job that Gigdesk knows nothing of; `then` refuses the second one. */
  async function lose(desk: Desk, then?: string) {
    const { market } = desk;
    const ben = desk.person('ben');
    const card = await market.publish().cardIn('web');
    market.fail(PATHS.bid, { kind: 'drop', when: 'after' });
    await sendBid(ben, card);
    if (then) {
      market.fail(PATHS.bid, presetFaults.status(403, then));
      await (await ben.press(card, 'Try Again')).send();
      await ben.close();
    }
    return { card, job: market.jobs[0] };
  }

  appTest.for([undefined, 'Not on your plan'])(
    'is settled by the ID of its job (%s)',
    async (then, { desk, ben, ada }) => {
      const { card, job } = await lose(desk, then);
      expect(card.offers('Check')).toBe(true);
      if (then) expect(card.text).toMatch(/Not on your plan.*may have created a bid/u);
      expect((await ben.type(`/gig job ${job?.id}`)).text).toContain('@ben');
      expect(card.text).toMatch(new RegExp(`Fast setup: .*#${job?.id}`, 'u'));
      expect(card.replies().at(-1)?.text).toContain(`created after all (bid #${job?.id})`);
      for (const offer of ['Check', 'Try Again']) expect(card.offers(offer)).toBe(false);
      expect((await ada.type('/gig audit')).text).toContain(`#${job?.id}`);
    },
  );
});
