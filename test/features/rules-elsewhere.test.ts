/** A channel's rules for spending hold for bids on its projects, wherever these are made. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, FILTER, letBid, sendBid, setRules } from '../kit/start-desk.ts';

/** Ben follows the filter in a channel of his own, where he and dan may bid, and no rule is set. */
async function ownChannel(desk: Desk, ben: Person): Promise<void> {
  desk.person('dan');
  await letBid(desk, ['ben', 'dan'], 'data');
  await ben.type(`/gig subscribe filter ${FILTER.id}`, 'data');
}

appTest('a channel of one’s own avoids no limit, cap or cancel window', async ({ desk, market, ben }) => {
  await setRules(desk.person('ada'), {
    'Cancel window': '30 seconds',
    'Second approval above this amount': '500',
  });
  await ownChannel(desk, ben);
  const published = market.publish();
  await published.cardIn('web');
  const card = await published.cardIn('data');
  await sendBid(ben, card, { 'Fixed-price bid': '600' });
  await desk.pass(60 * SECOND);
  expect(market.jobs).toHaveLength(0);
  const request = offering(card, 'Review');
  expect(request.text).toMatch(/another channel.*@dan/su);
  for (const secret of ['#web', '@ada']) expect(request.text).not.toContain(secret);
  await (await desk.person('dan').press(request, 'Review')).send();
  expect(market.jobs).toHaveLength(0);
  await desk.pass(35 * SECOND);
  expect(market.jobs).toHaveLength(1);
});

appTest(
  'a bid counts for the weekly cap of each channel that found its project',
  async ({ desk, market, ada, ben }) => {
    desk.slack.addChannel({ name: 'third' });
    desk.slack.invite('third', 'ada');
    await ada.type(`/gig subscribe filter ${FILTER.id}`, 'third');
    await setRules(desk.person('ada'), { 'Connects a week for this channel': '100' });
    await setRules(desk.person('ada'), { 'Connects a week for this channel': '50' }, 'third');
    await ownChannel(desk, ben);
    const bid = async (boost: string, channel: string) => {
      const card = await market.publish({ title: `Shop with ${boost}` }).cardIn(channel);
      return sendBid(ben, card, { Boost: boost });
    };
    await bid('45', 'data');
    expect(market.jobs).toHaveLength(1);
    const refused = await bid('6', 'data');
    expect(market.jobs).toHaveLength(1);
    expect(refused.text).toMatch(/another channel/u);
    for (const secret of ['#third', '#web', '50', '45']) expect(refused.text).not.toContain(secret);
    await bid('5', 'web');
    expect(market.jobs).toHaveLength(2);
    const settings = await ada.type('/gig settings', 'third');
    expect((await settings.press('Spending Rules')).text).toContain('50 connects used');
  },
);
