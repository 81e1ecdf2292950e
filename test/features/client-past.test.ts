/** What the team did with a client before: only what the reader may see. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, letBid, SHOP } from '../kit/start-desk.ts';

const PROFILE = 31;
/** A bid in a private channel that cem isn't in. @returns it as a job of the client's history */
async function bidInSecret(desk: Desk) {
  const { slack, market } = desk;
  desk.person('cem');
  slack.addChannel({ name: 'secret', private: true, members: ['ada', 'ben'] });
  market.service.addFilter({ id: 102, name: 'Secret work' });
  await desk.person('ada').type('/gig subscribe filter 102', 'secret');
  await letBid(desk, ['ben'], 'secret');
  await desk.pass(20 * SECOND);
  const first = market.publish({ ...SHOP, title: 'Secret shop' }, 102);
  const form = await desk.person('ben').press(await first.cardIn('secret'), 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup' });
  expect(market.jobs).toHaveLength(1);
  const { uid, url, title } = first.project;
  return {
    status: 'closed',
    start_date: '2026-01-01',
    end_date: '2026-01-20',
    total_hours: 0,
    total_charge: 500,
    contractor_name: 'Ana L.',
    feedback: { score: 5, comment: 'Good' },
    feedback_to_client: { score: 5, comment: 'Good' },
    rate: { amount: 0 },
    job_info: { uid, title, type: 'fixed', url },
  };
}

/** Whether the open window says that ben bid on the client's earlier project. */
function showsTheBid(person: Person): boolean {
  const { text } = person.form();
  expect(text).toContain('Public shop');
  return /Secret shop.*bid by @ben/u.test(text);
}

appTest("Details in a public channel show no private channel's bids", async ({ desk, market, ada, cem }) => {
  const job = await bidInSecret(desk);
  const card = await market.publish({ ...SHOP, title: 'Public shop', workHistory: [job] }).cardIn('web');
  await (await ada.press(card, 'Details')).press('Look Up');
  expect(showsTheBid(ada)).toBe(true);
  await cem.press(card, 'Details');
  expect(showsTheBid(cem)).toBe(false);
});

appTest("an invitation's window shows none either", async ({ desk, market, ada, cem, pass }) => {
  const job = await bidInSecret(desk);
  market.service.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  await ada.type(`/gig subscribe invitations ${PROFILE}`);
  await pass(MINUTE);
  const { project } = market.publish({ ...SHOP, title: 'Public shop', workHistory: [job] }, 102);
  const invited = { profileId: PROFILE, title: 'Public shop', jobPostingUid: project.uid };
  market.service.addInvitation(invited);
  await pass(4 * MINUTE);
  const card = ada.reads('web').findLast((it) => it.text.includes('Public shop')) ?? expect.fail('no card');
  await (await ada.press(card, 'Details')).press('Look Up');
  expect(showsTheBid(ada)).toBe(true);
  await cem.press(card, 'Details');
  expect(showsTheBid(cem)).toBe(false);
});
