/** The room of approvals: requests, bids that wait, `/gig job`, `/gig setups` and `/gig audit`. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { holdEndText } from '../../src/slack/bids/hold-text.ts';
import { HoldEnd } from '../../src/spending/hold.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, FILTER, letBid, PATHS, SHOP, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const BID = { 'Fixed-price bid': '600', Boost: '12', 'Cover letter': 'Dear client' };

/** Ben's bid on a new project waits for review. */
async function ask({ market, person }: Desk): Promise<Message> {
  const card = await market.publish({ ...SHOP, connectsPrice: 16 }).cardIn('web');
  await sendBid(person('ben'), card, BID);
  return card;
}

const newsOf = (card: Message) => card.replies().at(-1)?.text;

describe('a request for approval', () => {
  reviewed('from the question to the proposal', async ({ desk, market, ada, ben, pass }) => {
    const card = await ask(desk);
    const first = offering(card, 'Reject');
    const job = market.jobs[0]?.id ?? 0;
    expect(first.text).toMatchSnapshot('open');
    expect((await ada.type(`/gig job ${job}`)).text).toMatchSnapshot('in full');
    expect((await ada.press(first, 'Look Up')).text).toMatchSnapshot('priced');
    const form = await ada.press(first, 'Reject');
    expect(form.text).toMatchSnapshot('the form to reject');
    expect((await form.send({ Reason: 'Too <low>' })).text).toMatchSnapshot('rejected');
    await ada.close();
    expect(first.text).toMatchSnapshot('the rejected request');
    expect((await ada.type(`/gig job ${job}`)).text).toMatchSnapshot('in full, rejected');
    await ben.press(first, 'Ask Again');
    const second = offering(card, 'Reject');
    expect(first.text).toMatchSnapshot('an older request');
    market.service.updateJob(job, { reason: 'Disqualified: wrong stack' });
    const changed = await ada.press(second, 'Approve');
    expect(changed.text).toMatchSnapshot('changed since');
    expect((await changed.press('Approve')).text).toMatchSnapshot('approved');
    expect([second.text, newsOf(card)].join('\n\n')).toMatchSnapshot('the approved request');
    market.service.turnJobIntoProposal(job);
    await pass(30 * MINUTE);
    const sent = await ada.type(`/gig job ${job}`);
    expect(sent.text).toMatchSnapshot('in full, sent');
    expect((await sent.press('Proposal')).text).toMatchSnapshot('its proposal');
  });

  reviewed('whose approval failed', async ({ desk, market, ada, ben, pass }) => {
    const card = await ask(desk);
    const request = offering(card, 'Reject');
    market.fail(PATHS.approve, presetFaults.status(400, 'Daily limit <reached>'));
    expect((await ada.press(request, 'Approve')).text).toMatchSnapshot('refused');
    expect(newsOf(card)).toMatchSnapshot('the news of it');
    const asSeen = { ...request };
    market.fail(PATHS.approve, presetFaults.timeoutAfterEffect());
    await ada.press(request, 'Approve');
    expect(request.text).toMatchSnapshot('on its way');
    expect((await ben.press(asSeen, 'Approve')).text).toMatchSnapshot('of a second person');
    const silent = market.fail(PATHS.bidStatus, presetFaults.status(403), 1_000);
    await pass(2 * MINUTE);
    const details = await ben.type(`/gig job ${market.jobs[0]?.id}`);
    expect([request.text, details.text].join('\n\n')).toMatchSnapshot('without an answer');
    silent.cancel();
    await pass(20 * MINUTE);
    expect(newsOf(card)).toMatchSnapshot('what came of it');
  });

  reviewed('that nobody answers, and of a bid that is gone', async ({ desk, market, ada }) => {
    const card = await ask(desk);
    const request = offering(card, 'Reject');
    await desk.restart(25 * HOUR);
    expect([request.text, newsOf(card)].join('\n\n')).toMatchSnapshot('expired');
    market.fail(PATHS.bidStatus, presetFaults.status(404), 1_000);
    expect((await ada.type(`/gig job ${market.jobs[0]?.id}`)).text).toMatchSnapshot('gone');
    expect([request.text, newsOf(card)].join('\n\n')).toMatchSnapshot('its request');
  });
});

describe('a bid that waits', () => {
  appTest('for second approvals', async ({ desk, market, ada, ben, cem }) => {
    await letBid(desk, ['ben', 'cem']);
    await setRules(ada, {
      'Cancel window': '1 minute',
      'Second approval above this amount': '500',
      'Second approval above this many connects': '20',
      'Second approval options': ['For clients without history', 'Not by the person who asked'],
      'Number of second approvals': '2',
    });
    expect((await (await ada.type('/gig settings')).press('Spending Rules')).text).toMatchSnapshot('rules');
    await ada.close();
    const card = await market.publish({ ...SHOP, client: { totalHires: 0, totalSpent: 0 } }).cardIn('web');
    expect((await sendBid(ben, card, BID)).text).toMatchSnapshot('for the sender');
    const request = offering(card, 'Cancel');
    expect(request.text).toMatchSnapshot('asking');
    expect((await ada.press(request, 'Approve')).text).toMatchSnapshot('one approval');
    expect((await ada.press(request, 'Approve')).text).toMatchSnapshot('the same person again');
    await cem.press(request, 'Approve');
    expect(request.text).toMatchSnapshot('in its cancel window');
    await cem.press(request, 'Cancel');
    expect([request.text, newsOf(card)].join('\n\n')).toMatchSnapshot('canceled');
  });

  reviewed('after its approval', async ({ desk, market, ada, cem }) => {
    const card = await ask(desk);
    await letBid(desk, ['ben', 'cem']);
    await setRules(ada, { 'Second approval above this amount': '500' });
    expect((await cem.press(offering(card, 'Approve'), 'Approve')).text).toMatchSnapshot('who approved it');
    expect(offering(card, 'Cancel').text).toMatchSnapshot('asking');
    expect((await cem.type(`/gig job ${market.jobs[0]?.id}`)).text).toMatchSnapshot('in full');
  });

  it.each(HoldEnd.options)('ends with a sentence: %s', (kind) => {
    const hold = { at: 0, seconds: 30, shown: '' };
    expect(holdEndText({ ...hold, ended: { kind, at: 0 } })).toMatchSnapshot();
  });
});

appTest('/gig job, about any bid', async ({ market, ada, pass }) => {
  const { id: projectId } = market.publish().project;
  await pass(MINUTE);
  const { id } = market.service.addJob({ projectId, setupId: FAST_SETUP.id, status: 'on_the_moon' as never });
  const shown: string[] = [];
  const look = async (args: number | string) => shown.push((await ada.type(`/gig job ${args}`.trim())).text);
  await look(id);
  market.service.updateJob(id, { status: 'failed', errorMessage: `Out of connects. ${'y'.repeat(3_000)}` });
  await look(`#${id}`);
  market.service.updateJob(id, { status: 'skipped', reason: 'Daily limit <!channel>' });
  for (const args of [id, '999', '', 'twelve', '0', '12 13', '<!channel>']) await look(args);
  expect(shown.map((it) => it.replaceAll(/y{9,}/gu, 'yyy'))).toMatchSnapshot();
});

appTest('/gig setups', async ({ market, ada, pass }) => {
  const shown: string[] = [];
  const look = async (args = '') => shown.push((await ada.type(`/gig setups ${args}`.trim())).text);
  market.service.updateSetup(FAST_SETUP.id, {
    biddingTemplate: { id: 3, name: 'Short and kind' },
    dailyProposalsLimit: 10,
    proposalsSentToday: 10,
  });
  market.service.addSetup({ id: 8, name: 'Setup 10', filter: FILTER, status: 'Paused' as never });
  market.service.addSetup({ id: 9, name: 'Setup 2', filter: FILTER, status: 'hibernating' as never });
  await pass(6 * MINUTE);
  for (const args of ['', 'PAUSED', 'hibernating', 'draft', 'activ', '<!channel>']) await look(args);
  market.fail('/auto-bidding/setups', presetFaults.status(403), 1_000);
  await pass(6 * MINUTE);
  await look();
  expect(shown).toMatchSnapshot();
});

appTest('/gig setups has pages', async ({ market, ada, pass }) => {
  for (let id = 10; id < 22; id++)
    market.service.addSetup({ id, name: `Setup ${id}`, filter: FILTER, status: 'active' });
  await pass(6 * MINUTE);
  const first = await ada.type('/gig setups active');
  expect(first.text).toContain('1 of 2');
  expect(first.text).not.toContain('Setup 21');
  const second = await first.press('Next');
  expect(second.text).toContain('Setup 21');
  expect(second.offers('Next')).toBe(false);
  expect((await second.press('Previous')).text).toContain('1 of 2');
});

describe('/gig audit', () => {
  appTest('tells who did what', async ({ desk, market, ada, ben }) => {
    const shown: string[] = [];
    const look = async (args = '') => shown.push((await ada.type(`/gig audit ${args}`.trim())).text);
    await sendBid(ben, await market.publish({ ...SHOP, title: 'Rebuild *our* checkout' }).cardIn('web'), BID);
    market.fail(PATHS.bid, presetFaults.status(400, 'Too late <!channel>'));
    await sendBid(ben, await market.publish({ ...SHOP, title: 'Paint' }).cardIn('web'), BID);
    await letBid(desk, ['ada', 'ben']);
    await ada.type('/gig budget 300');
    for (const args of ['pause', 'pause off', 'pause off']) await ada.type(`/gig ${args}`);
    for (const rules of ['budget:>lots', 'react'])
      await ada.type(`/gig subscribe filter 101 ${rules}`, 'data');
    await look();
    for (const args of ['1', '0', 'lots', '<!channel>']) await look(args);
    await desk.restart(8 * DAY);
    await look();
    expect(shown).toMatchSnapshot();
  });

  appTest('turns pages there and back', async ({ ada }) => {
    for (let n = 101; n <= 118; n++) await ada.type(`/gig budget ${n}`);
    const budgetsIn = ({ text }: { text: string }) =>
      [...text.matchAll(/to (\d+) credits/gu)].map(([, n]) => Number(n));
    const first = await ada.type('/gig audit');
    expect(budgetsIn(first)).toHaveLength(15);
    const second = await first.press('Next');
    expect(budgetsIn(second)).toEqual([103, 102, 101]);
    expect(second.offers('Next')).toBe(false);
    await ada.type('/gig budget 119');
    expect(budgetsIn(await second.press('Previous'))[0]).toBe(118);
  });
});
