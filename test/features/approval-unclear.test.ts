/** An approval happens once: without an answer, its job's state settles it before anyone may repeat it. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, PATHS, sendBid } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
/** Whole in the request, so that is where people approve it. */
const LETTER = { 'Cover letter': 'Dear client' };
const LOST = { kind: 'drop', when: 'after' } as const;

/** A bid that waits for review. */
async function bid({ market, person }: Pick<Desk, 'market' | 'person'>) {
  const card = await market.publish().cardIn('web');
  await sendBid(person('ben'), card, LETTER);
  return { card, request: offering(card, 'Approve'), id: market.jobs[0]?.id };
}

reviewed('two people who approve at once approve once', async ({ desk, market, ada, ben }) => {
  const { card, request } = await bid(desk);
  await Promise.all([ada.press(request, 'Approve'), ben.press(request, 'Approve')]);
  expect(market.requests(PATHS.approve)).toHaveLength(1);
  expect(market.jobs.map((it) => it.status)).toEqual(['scheduled']);
  expect(card.replies().at(-1)?.text).toMatch(/@(?:ada|ben) approved/u);
});

describe('without an answer', () => {
  reviewed.for([false, true])(
    'it is settled by the state of its job (killed: %s)',
    async (isKilled, { desk, market, ada, ben, pass }) => {
      const { card, request, id } = await bid(desk);
      const held = market.fail(PATHS.approve, isKilled ? presetFaults.timeoutAfterEffect() : LOST);
      market.fail(PATHS.bidStatus, presetFaults.status(503), 2);
      await ben.press(request, 'Approve');
      if (isKilled) await desk.restart();
      held.release();
      expect(card.offers('Review')).toBe(false);
      expect((await ada.type(`/gig job ${id}`)).offers('Approve')).toBe(false);
      await pass(10 * MINUTE);
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(card.replies().at(-1)?.text).toContain('@ben approved');
      expect(card.offers('Review')).toBe(false);
    },
  );

  reviewed(
    'and never carried out, it is offered again as soon as that is known',
    async ({ desk, market, ada, ben, pass }) => {
      const { card, request } = await bid(desk);
      market.fail(PATHS.approve, { kind: 'drop', when: 'before' });
      await ben.press(request, 'Approve');
      await pass(2 * MINUTE);
      expect(
        card
          .replies()
          .map((it) => it.text)
          .join('\n'),
      ).toContain('never reached the marketplace');
      await ada.press(offering(card, 'Approve'), 'Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(2);
      expect(market.jobs.map((it) => it.status)).toEqual(['scheduled']);
    },
  );

  /** It was carried out, and its job is unreadable for long. */
  async function lose(desk: Desk) {
    const { market } = desk;
    const made = await bid(desk);
    market.fail(PATHS.approve, presetFaults.timeoutAfterEffect());
    await desk.person('ben').press(made.request, 'Approve');
    market.fail(PATHS.bidStatus, presetFaults.status(500), 1_000);
    await desk.pass(2 * MINUTE);
    expect(made.card.offers('Review')).toBe(false);
    await desk.pass(18 * MINUTE);
    return { ...made, again: offering(made.card, 'Approve') };
  }

  reviewed(
    'it is offered again while nothing can be read; a refusal then says nothing of it',
    async ({ desk, market, ada, pass }) => {
      const { card, again } = await lose(desk);
      const refused = await ada.press(again, 'Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(2);
      for (const text of [refused.text, card.replies().at(-1)?.text])
        expect(text).toMatch(/not pending review/u);
      market.service.clearFaults();
      await pass(30 * MINUTE);
      expect(card.replies().at(-1)?.text).toContain('@ben approved');
      expect((await ada.type('/gig audit')).text).not.toContain('no response');
    },
  );

  reviewed('it is not repeated by a press once the job can be read again', async ({ desk, market, ada }) => {
    const { card, again } = await lose(desk);
    market.service.clearFaults();
    expect((await ada.press(again, 'Approve')).text).toContain('@ben');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
    expect(card.text).toContain('approved by @ben');
  });
});

appTest('a job that nobody made here is approved, and followed', async ({ market, ada, pass }) => {
  const { project, cardIn } = market.publish();
  await cardIn('web');
  const job = {
    projectId: project.id,
    setupId: FAST_SETUP.id,
    status: 'pending_review',
    wasAiDisqualified: true,
    qualificationReason: 'Too small a budget',
  } as const;
  const { id } = market.service.addJob(job);
  await (await ada.type(`/gig job ${id}`, 'data')).press('Approve');
  expect(market.requests(PATHS.approve)).toHaveLength(1);
  market.service.updateJob(id, { status: 'failed', errorMessage: 'Out of connects' });
  await pass(5 * MINUTE);
  const told = ada
    .reads('data')
    .flatMap((it) => [it, ...it.replies()].map(({ text }) => text))
    .join('\n');
  expect(told).toContain('Too small a budget');
  expect(told).toContain('Out of connects');
});
