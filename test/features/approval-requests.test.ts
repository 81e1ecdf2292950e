/** Requests for approval: what they show, whom they notify, how they end, and that nobody approves blind. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, letBid, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const LETTER = 'Dear client, I have built nine checkouts.';
const BID = { 'Fixed-price bid': '450', Boost: '12', 'Cover letter': LETTER };

/** Ben's bid waits for review. */
async function ask({ market, person }: Desk, input = {}) {
  const published = market.publish({ ...SHOP, connectsPrice: 16 });
  const card = await published.cardIn('web');
  await sendBid(person('ben'), card, { ...BID, ...input });
  return { card, project: published.project };
}

const requestOf = (card: Message): Message => offering(card, 'Reject');

/** Whether anything about the project still offers to decide. */
function offersDecision(card: Message): boolean {
  const all = [card, ...card.replies()];
  return all.some((it) => ['Approve', 'Reject', 'Review'].some((label) => it.offers(label)));
}

describe('a request for approval', () => {
  reviewed(
    'shows all that is sent, who asks, and somebody else who may approve',
    async ({ desk, market, ada }) => {
      const { card } = await ask(desk);
      const request = requestOf(card);
      for (const part of [
        'Rebuild our checkout',
        LETTER,
        '$450',
        '12 connects',
        'Fast setup',
        '@ben',
        '@ada',
      ])
        expect(request.text).toContain(part);
      expect(request.text).toMatch(/Cost:\* unknown/u);
      expect(card.offers('Approve')).toBe(false);
      // A short letter needs no second press.
      expect(request.offers('Review')).toBe(false);
      const priced = await ada.press(request, 'Look Up (1 Credit)');
      expect(priced.text).toMatch(/credit/u);
      expect(request.text).toContain('28 connects');
      expect(request.offers('Look Up')).toBe(false);
      await ada.press(request, 'Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(offersDecision(card)).toBe(false);
    },
  );

  const alone = appTestWith({ reviews: true, env: { ADMIN_USER_IDS: 'U0EVE' } });
  alone(
    'goes by direct message to somebody elsewhere if nobody else here may approve',
    async ({ desk, slack, market, ada }) => {
      slack.addUser({ id: 'U0EVE', name: 'eve' });
      await letBid(desk, ['ada']);
      const card = await market.publish().cardIn('web');
      await sendBid(ada, card, BID);
      expect(requestOf(card).text).toContain('@eve');
      const eve = desk.person('eve');
      const [direct, ...more] = eve.inbox();
      if (!direct || more.length > 0) return expect.fail('eve got no message, or several');
      expect(direct.text).toContain(LETTER);
      await eve.press(direct, 'Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(card.replies().at(-1)?.text).toContain('@eve');
      expect(direct.offers('Approve')).toBe(false);
    },
  );

  reviewed(
    'shows a letter of the setup’s template in Review, and whose bid it is',
    async ({ desk, market, ada, ben }) => {
      const template = { id: 61, name: 'Shops' };
      const letters = { variant_a: 'We have built forty shops.', variant_b: null };
      market.service.addTemplate({ ...template, cover_letters: letters });
      market.service.updateSetup(FAST_SETUP.id, { biddingTemplate: template });
      await desk.pass(6 * MINUTE);
      const { card } = await ask(desk, { 'Cover letter': null });
      for (const person of [ada, ben]) {
        const window = await person.press(requestOf(card), 'Review');
        expect(window.text).toContain('We have built forty shops.');
        expect(window.text).toContain('12 connects');
        expect(/your own bid/u.test(window.text)).toBe(person === ben);
        await person.close();
      }
    },
  );
});

describe('a rejection', () => {
  reviewed(
    'needs a reason, which reaches who asked, and sends nothing until someone asks again',
    async ({ desk, market, ada, ben, cem }) => {
      const { card } = await ask(desk);
      const seen = { ...requestOf(card) };
      await cem.press(seen, 'Reject');
      await cem.close();
      expect(offersDecision(card)).toBe(true);
      const form = await ada.press(seen, 'Reject');
      const empty = await form.send({ Reason: ' ' });
      expect(empty.fields()).toEqual(form.fields());
      const done = await empty.send({ Reason: 'The rate is <!here> too low' });
      const told = card.replies().at(-1)?.text ?? '';
      for (const part of ['too low', '@ada', '@ben']) expect(told).toContain(part);
      // It still waits there, and both the window and the thread say so.
      for (const text of [told, done.text]) expect(text).toMatch(/still waits for review/u);
      expect(offersDecision(card)).toBe(false);
      await ada.close();
      expect((await ada.type('/gig audit')).text).toMatch(/rejected .*too low/u);
      const refused = await ada.press(seen, 'Approve');
      expect(refused.text).toContain('too low');
      expect(market.requests(PATHS.approve)).toEqual([]);
      await ben.press(offering(card, 'Ask Again'), 'Ask Again');
      expect(requestOf(card).text).toContain('@ada');
      await ada.press(requestOf(card), 'Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(offersDecision(card)).toBe(false);
    },
  );

  reviewed('and an approval at once have one outcome', async ({ desk, market, ada, ben }) => {
    const { card } = await ask(desk);
    const form = await ada.press(requestOf(card), 'Reject');
    await Promise.all([form.send({ Reason: 'No' }), ben.press(requestOf(card), 'Approve')]);
    const isRejected = card.replies().some((it) => it.text.includes('rejected this bid'));
    expect(market.requests(PATHS.approve)).toHaveLength(isRejected ? 0 : 1);
    expect(offersDecision(card)).toBe(false);
  });

  reviewed(
    'is counted when nobody answers in time, once, also over restarts',
    async ({ desk, market, ada }) => {
      const settings = await (await ada.type('/gig settings')).press('Cards and Approvals');
      await settings.send({ 'Requests for approval': 'Open for 4 hours' });
      const { card } = await ask(desk);
      await desk.restart(3 * HOUR);
      expect(offersDecision(card)).toBe(true);
      await desk.restart(HOUR);
      await desk.restart(HOUR);
      const told = card
        .replies()
        .filter((it) => /counts as rejected/u.test(it.text) && it.text.includes('4 hours'));
      expect(told).toHaveLength(1);
      expect(told[0]?.text).toContain('@ben');
      expect(offersDecision(card)).toBe(false);
      expect(market.requests(PATHS.approve)).toEqual([]);
    },
  );
});

describe('an approval', () => {
  reviewed(
    'of what has changed since sends nothing, shows the change, and asks again',
    async ({ desk, app, market, ada }) => {
      const { card } = await ask(desk);
      const [job] = market.jobs;
      market.service.updateJob(job?.id ?? 0, { scheduledAt: app.clock.now() + 3 * HOUR });
      const changed = await ada.press(requestOf(card), 'Approve');
      expect(market.requests(PATHS.approve)).toEqual([]);
      expect(changed.text).toMatch(/Scheduled: .* →/u);
      const window = await ada.press(card, 'Review');
      market.service.updateJob(job?.id ?? 0, { reason: 'Disqualified: wrong stack' });
      const again = await window.send();
      expect(market.requests(PATHS.approve)).toEqual([]);
      expect(again.text).toContain('wrong stack');
      const done = await again.send();
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(done.text).toContain('@ada');
      expect(offersDecision(card)).toBe(false);
    },
  );

  reviewed(
    'happens once, for a double press in Review that Home opened, and only if it is read',
    async ({ desk, slack, market, ada }) => {
      const { card } = await ask(desk);
      market.fail(PATHS.bidStatus, presetFaults.status(403, 'Not you'));
      await ada.press(requestOf(card), 'Approve');
      expect(market.requests(PATHS.approve)).toEqual([]);
      const window = await (await ada.home()).press('Review');
      expect(window.text).toContain(LETTER);
      const view = slack.view('ada');
      if (!view) return expect.fail('no window is open');
      await Promise.all([window.send(), slack.submitView({ user: 'ada', view, values: {} })]);
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect((await ada.home()).text).not.toContain(`#${market.jobs[0]?.id}`);
    },
  );

  appTest(
    'of a bid made elsewhere shows what the API returns, and plainly what it does not',
    async ({ market, ada }) => {
      const { project, cardIn } = market.publish();
      await cardIn('web');
      const { id } = market.service.addJob({
        projectId: project.id,
        setupId: FAST_SETUP.id,
        status: 'pending_review',
        coverLetter: LETTER,
        answers: [{ question: 'Which?', answer: 'Three' }],
      });
      const details = await ada.type(`/gig job ${id}`);
      expect(details.text).toMatch(/doesn't return its cover letter, answers and boost/u);
      expect(details.text).not.toContain(LETTER);
      expect(details.text).toMatch(/Fixed price:\* unknown/u);
      await details.press('Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(1);
    },
  );
});
