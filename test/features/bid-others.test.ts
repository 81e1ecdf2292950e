/**
 * A bid needs a form that showed all bids on the project as they stand: nothing is sent beside one unseen.
 */
import { describe, expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Desk, letBid, PATHS } from '../kit/start-desk.ts';

const FAST = { 'Bidding setup': 'Fast setup' };
const SLOW = { 'Bidding setup': 'Slow setup' };
const THIRD = { 'Bidding setup': 'Third setup' };
const threeSetups = appTestWith({ moreSetups: ['Slow setup', 'Third setup'] });
const NOT_SHOWN = "your form didn't show";

const sentBids = ({ market }: Desk) => market.requests(PATHS.bid).map((it) => it.body);

/** Slack sends the last submitted form again. */
async function repeatSubmission({ slack, pass }: Desk) {
  const sent = slack.sentRequests().findLast(({ payload }) => payload['type'] === 'view_submission');
  if (sent) await slack.resendRequest(sent);
  await pass(5 * SECOND);
}

describe('people with a setup each', () => {
  threeSetups(
    'who send at once send one bid, and the other decides again',
    async ({ desk, market, ada, ben }) => {
      const card = await market.publish().cardIn('web');
      const forms = [await ada.press(card, 'Bid'), await ben.press(card, 'Bid')] as const;
      const ends = await Promise.all([forms[0].send(FAST), forms[1].send(SLOW)]);
      expect(market.jobs).toHaveLength(1);
      const place = ends.findIndex((it) => it.text.includes(NOT_SHOWN));
      expect(ends[place]?.text).toMatch(place === 0 ? /@ben.*Slow setup/u : /@ada.*Fast setup/u);
      await ends[place]?.send();
      expect(sentBids(desk)).toHaveLength(2);
    },
  );

  threeSetups(
    'each see what is newer than their form, and keep their text',
    async ({ desk, market, ada, ben, cem }) => {
      await letBid(desk, ['ben', 'cem']);
      const card = await market.publish().cardIn('web');
      const forms = [await ben.press(card, 'Bid'), await cem.press(card, 'Bid')] as const;
      await (await ada.press(card, 'Bid')).send(FAST);
      const [job] = market.jobs;
      const bens = await forms[0].send({ ...SLOW, 'Cover letter': 'Kept letter' });
      await repeatSubmission(desk);
      const cems = await forms[1].send(THIRD);
      for (const { text } of [bens, cems]) {
        expect(text).toContain(NOT_SHOWN);
        expect(text).toMatch(new RegExp(`@ada.*Fast setup.*#${job?.id}`, 'u'));
      }
      expect(bens.text).toContain('Kept letter');
      market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
      await bens.send();
      expect(sentBids(desk)[1]).toMatchObject({ setup_id: 8, cover_letter: 'Kept letter' });
      const again = await cems.send();
      expect(again.text).toMatch(/@ben.*Slow setup/u);
      expect(sentBids(desk)).toHaveLength(2);
      await again.send();
      expect(sentBids(desk)).toHaveLength(3);
    },
  );

  threeSetups('bid beside one that was refused, which is no news', async ({ desk, market, ada, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    market.fail(PATHS.bid, presetFaults.status(400, 'This client takes no bids'));
    await (await ada.press(card, 'Bid')).send(FAST);
    await form.send(SLOW);
    expect(sentBids(desk)).toHaveLength(2);
  });

  threeSetups('who closed the form are told, and go on', async ({ market, slack, ada, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    await (await ada.press(card, 'Bid')).send(FAST);
    slack.injectFault('views.update', { kind: 'error', error: 'not_found' }, 2);
    await form.send({ ...SLOW, 'Cover letter': 'Kept letter' });
    const told = ben.notes('web').at(-1);
    expect(told?.text).toContain(NOT_SHOWN);
    expect(told?.text).toMatch(/@ada.*Fast setup/u);
    await ben.close();
    const again = await ben.press(told ?? expect.fail('no answer'), 'Open Again');
    await again.send();
    expect(market.requests(PATHS.bid)[1]?.body).toMatchObject({ cover_letter: 'Kept letter' });
  });

  threeSetups(
    'see a bid of a killed app, and one of a private channel',
    async ({ desk, market, slack, ada, ben }) => {
      slack.addChannel({ name: 'secret', private: true, members: ['ada'] });
      const card = await market.publish().cardIn('web');
      const form = await ben.press(card, 'Bid');
      market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
      await (await ada.press(card, 'Bid')).send(FAST);
      await desk.restart();
      const news = await form.send(SLOW);
      expect(news.text).toContain(NOT_SHOWN);
      expect(news.text).toMatch(/@ada.*Fast setup: no response/u);
      await ada.close();
      market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
      await (await ada.type(`/gig bid ${market.service.projects()[0]?.ciphertext}`, 'secret')).send(THIRD);
      expect(sentBids(desk)).toHaveLength(2);
      const more = await news.send();
      expect(more.text).toMatch(/@ada.*Third setup.*in another channel/u);
      expect(more.text).not.toContain('secret');
      await more.send();
      expect(sentBids(desk)).toHaveLength(3);
    },
  );
});

describe('a setup bids once', () => {
  threeSetups(
    'though two people send at once, and one of them twice',
    async ({ desk, market, slack, ada, ben }) => {
      const card = await market.publish().cardIn('web');
      const forms = [await ada.press(card, 'Bid'), await ben.press(card, 'Bid')];
      const { view } = slack.view('ben') ? { view: slack.view('ben') } : expect.fail('no form');
      const twice = slack.submitView({ user: 'ben', ...(view ? { view } : {}), values: { setup: '7' } });
      const ends = await Promise.all(forms.map((it) => it.send(FAST)));
      await twice;
      expect(market.jobs).toHaveLength(1);
      expect(ends.find((it) => it.offers('Open Again'))?.text).toMatch(/@(?:ada|ben).*Fast setup/u);
      expect(sentBids(desk)).toHaveLength(1);
    },
  );

  threeSetups(
    'though a form is open since before, which names the job',
    async ({ desk, market, ada, ben }) => {
      const card = await market.publish().cardIn('web');
      const form = await ben.press(card, 'Bid');
      await (await ada.press(card, 'Bid')).send(FAST);
      expect((await form.send(FAST)).text).toContain(`#${market.jobs[0]?.id}`);
      expect(sentBids(desk)).toHaveLength(1);
    },
  );

  threeSetups('unless a form showed how it ended', async ({ desk, market, ada, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const held = market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
    await (await ada.press(card, 'Bid')).send(FAST);
    const form = await ben.type(`/gig bid ${market.service.projects()[0]?.ciphertext}`);
    expect((await form.press('Fast setup')).text).toMatch(/@ada.*Fast setup: sending/u);
    await pass(60 * SECOND);
    held.release();
    const told = await form.send();
    expect(told.text).toContain('newer bid');
    expect(sentBids(desk)).toHaveLength(1);
    market.fail(PATHS.bid, presetFaults.status(400, 'This client takes no bids'));
    await (await told.press('Open Again')).send();
    expect(sentBids(desk)).toHaveLength(2);
    await repeatSubmission(desk);
    await ben.close();
    const again = await ada.press(card, 'Try Again');
    await repeatSubmission(desk);
    expect(sentBids(desk)).toHaveLength(2);
    await (await again.press('Slow setup')).press('Fast setup');
    await again.send();
    expect(sentBids(desk)).toHaveLength(3);
  });

  threeSetups(
    'and not for a form of another device from before',
    async ({ desk, market, slack, ben, pass }) => {
      const card = await market.publish().cardIn('web');
      market.fail(PATHS.bid, presetFaults.status(400, 'This client takes no bids'));
      const form = await ben.press(card, 'Bid');
      const old = slack.view('ben') ?? expect.fail('no form');
      await (await form.send(FAST)).press('Open Again');
      await slack.submitView({ user: 'ben', view: old, values: { setup: '7' }, asItWas: true });
      await pass(5 * SECOND);
      expect(sentBids(desk)).toHaveLength(1);
      expect(slack.failedCalls()).toEqual([]);
    },
  );
});

threeSetups(
  'a letter typed while another bid is sent outlives its success',
  async ({ desk, market, ben }) => {
    const card = await market.publish().cardIn('web');
    const held = market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
    await (await ben.press(card, 'Bid')).send(FAST);
    const form = await ben.type(`/gig bid ${market.service.projects()[0]?.ciphertext}`);
    held.release();
    await desk.pass(5 * SECOND);
    expect(market.jobs).toHaveLength(1);
    await form.send({ ...SLOW, 'Cover letter': 'Another letter' });
    expect(sentBids(desk)[1]).toMatchObject({ setup_id: 8, cover_letter: 'Another letter' });
  },
);
