/** A card's details in a window, and what can be done with a project that was looked up. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { PATHS, SHOP } from '../kit/start-desk.ts';

/** A job of the client's history. */
const ENDED = {
  status: 'closed',
  start_date: '2026-01-01',
  end_date: '2026-01-20',
  total_hours: 0,
  total_charge: 500,
  contractor_name: 'Ana L.',
  feedback: { score: 5, comment: 'Good' },
  feedback_to_client: { score: 5, comment: 'Good' },
  rate: { amount: 0 },
};

appTest('Details are free; a lookup is sent once, also when two press', async ({ app, market, ada, ben }) => {
  const card = await market.publish({ ...SHOP, connectsPrice: 16 }).cardIn('web');
  const [mine, hers] = [await ben.press(card, 'Details'), await ada.press(card, 'Details')];
  expect(mine.text).toContain('Rebuild our checkout');
  expect(market.requests(PATHS.lookup)).toEqual([]);
  await Promise.all([mine.press('Look Up'), hers.press('Look Up')]);
  for (const { text } of [ben.form(), ada.form()]) expect(text).toMatch(/\*Connects\* 16/u);
  expect(market.requests(PATHS.lookup)).toHaveLength(1);
  expect(market.service.consumedCredits().total).toBe(1);
  await app.kill();
  await app.start();
  await ben.close();
  expect((await ben.press(card, 'Details')).text).toMatch(/\*Connects\* 16/u);
  expect(card.replies()).toEqual([]);
});

appTest('Claim, Share and Bid work in the window', async ({ desk, market, ada, pass }) => {
  const card = await market.publish().cardIn('web');
  const details = await ada.press(card, 'Details');
  await details.press('Claim');
  expect(card.text).toContain('Claimed by @ada');
  expect(details.offers('Release')).toBe(true);
  const share = async (channel: string) => (await details.press('Share')).send({ Channel: channel });
  await share('data');
  await pass(20 * SECOND);
  await share('data');
  expect(ada.notes('web').at(-1)?.text).toContain('already posted in #data');
  expect(ada.reads('data').filter((it) => it.offers('Details'))).toHaveLength(1);
  desk.slack.addChannel({ name: 'closed', members: ['ada'], withBot: false });
  await share('closed');
  expect(ada.notes('web').at(-1)?.text).toContain("Gigdesk isn't in #closed");
  desk.slack.addChannel({ name: 'board', private: true, members: ['ben'] });
  await share('board');
  expect(desk.slack.messages('board')).toEqual([]);
  const form = await details.press('Bid');
  expect(form.fields()).toContain('Bidding setup');
  expect(desk.slack.viewStack('ada')).toHaveLength(2);
});

appTest('what the team did with this client is told, once it is known', async ({ market, ben }) => {
  const first = market.publish({ ...SHOP, title: 'First for this client' });
  await (await ben.press(await first.cardIn('web'), 'Skip')).send({ Reason: 'Poor client' });
  const { uid, url, title } = first.project;
  const workHistory = [{ ...ENDED, job_info: { uid, title, type: 'fixed', url } }];
  const second = await market.publish({ ...SHOP, title: 'Second', workHistory }).cardIn('web');
  const details = await ben.press(second, 'Details');
  expect(details.text).not.toContain('First for this client');
  expect((await details.press('Look Up')).text).toMatch(/First for this client.*skipped by @ben/u);
  await ben.close();
  const other = await market.publish({ ...SHOP, title: 'Another', workHistory: [] }).cardIn('web');
  expect((await ben.press(other, 'Details')).text).not.toContain('First for this client');
});

appTest('a lookup that can’t be done says why, and the list’s facts stay', async ({ market, ada, ben }) => {
  market.service.addFilter({ id: 102, qualifier: true });
  await ada.type('/gig subscribe filter 102');
  const judged = market.publish(SHOP, 102);
  market.service.setVerdict(judged.project.id, { decision: 'qualified', reason: 'Fits us' });
  const card = await judged.cardIn('web');
  await ada.type('/gig budget 0');
  const details = await ben.press(card, 'Details');
  const refused = await details.press('Look Up');
  expect(refused.text).toMatch(/no credits left/u);
  await ada.type('/gig budget 50');
  const full = await refused.press('Look Up');
  expect(full.text).toMatch(/qualified.*Fits us/u);
  await ben.close();
  market.service.setModes({ redirectUrls: true });
  const nameless = await market.publish({ ...SHOP, title: 'Without an ID' }).cardIn('web');
  const window = await ben.press(nameless, 'Details');
  expect(window.text).toContain('no `~ID`');
  expect(window.offers('Look Up')).toBe(false);
});

appTest(
  'a looked-up project is claimed and shared from the answer: one card',
  async ({ market, ada, ben, pass }) => {
    const lookup = `/gig lookup ${market.publish(SHOP, []).project.ciphertext}`;
    await ada.type('/gig budget 0', 'data');
    const [refused, answer] = await Promise.all([ada.type(lookup, 'data'), ben.type(lookup)]);
    expect(refused.text).toMatch(/no credits left/u);
    await answer.press('Claim');
    await answer.press('Share to Channel');
    await pass(20 * SECOND);
    const [card, ...more] = ada.reads('web').filter((it) => it.offers('Details'));
    expect(more).toEqual([]);
    expect(card?.text).toContain('Claimed by @ben');
    const later = await ada.type(lookup);
    expect(later.text).toMatch(/see its card.*claimed by @ben/u);
    for (const label of ['Share to Channel', 'Claim']) expect(later.offers(label)).toBe(false);
    expect(market.service.consumedCredits().total).toBe(1);
    expect(market.requests(PATHS.lookup)).toHaveLength(1);
    await pass(15 * MINUTE);
    await ada.type(lookup);
    expect(market.requests(PATHS.lookup)).toHaveLength(2);
  },
);
