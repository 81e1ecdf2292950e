/** A bid on an invitation's project: the card shows its status, the thread gets its updates. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, letBid, PATHS } from '../kit/start-desk.ts';

const appTest = appTestWith({ reviews: true });
const SETUP = { 'Bidding setup': 'Fast setup' };

/** One invitation in two channels; its project has no card of its own. */
async function invited(desk: Desk) {
  const { market } = desk;
  const ada = desk.person('ada');
  const profile = market.service.addProfile({ id: 31, label: 'Ana Webb' });
  for (const channel of ['web', 'data']) await ada.type('/gig subscribe invitations 31', channel);
  await letBid(desk, ['ben'], 'data');
  await desk.pass(MINUTE);
  const { project } = market.publish({ clientQuestions: [], usOnly: false, ukOnly: false }, []);
  market.service.addInvitation({ profileId: profile.id, title: 'Chairs', jobPostingUid: project.uid });
  await desk.pass(4 * MINUTE);
  const cardIn = (channel: string): Message => {
    const [card, ...more] = ada.reads(channel).filter((it) => it.text.includes('Invitation: Chairs'));
    expect(more).toEqual([]);
    return card ?? expect.fail('no invitation');
  };
  return { project, web: cardIn('web'), data: cardIn('data') };
}

appTest('shows on its card in every channel, and is approved there', async ({ desk, market, ada, ben }) => {
  const { web, data, project } = await invited(desk);
  const before = ada.reads('web').length;
  await (await ben.press(web, 'Bid')).send(SETUP);
  await ben.close();
  for (const card of [web, data]) {
    expect(card.text).toMatch(/@ben.*Fast setup/u);
    expect([card.offers('Review'), card.offers('Bid')]).toEqual([true, false]);
  }
  expect(ada.reads('web')).toHaveLength(before);
  expect(offering(web, 'Review').text).toContain(`#${market.jobs[0]?.id}`);
  await (await ben.press(data, 'Review')).send();
  expect(market.requests(PATHS.approve)).toHaveLength(1);
  expect(market.jobs.map((it) => it.projectId)).toEqual([project.id]);
  for (const card of [web, data]) expect(card.offers('Review')).toBe(false);
  expect(data.text).toMatch(/approved by @ben/iu);
  // What became of it, also after a kill.
  const sent = market.service.addProposal({
    profileId: 31,
    isViewed: false,
    isInterviewed: false,
    isHired: false,
  });
  const { applicationUid } = sent;
  market.service.updateJob(market.jobs[0]?.id ?? 0, { status: 'completed', applicationUid });
  await desk.restart();
  await desk.pass(HOUR);
  market.service.updateProposal(sent.id, { isViewed: true, isInterviewed: true });
  await desk.pass(15 * MINUTE);
  for (const card of [web, data]) {
    expect(card.text).toMatch(/interview/iu);
    expect(card.offers('Proposal')).toBe(true);
  }
  expect(web.replies().at(-1)?.text).toMatch(/interview/iu);
});

appTest('without an answer is checked and tried again there, as typed', async ({ desk, market, ben }) => {
  const { web, data, project } = await invited(desk);
  market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
  await (await ben.press(web, 'Bid')).send({ ...SETUP, 'Cover letter': 'We build chairs.' });
  await ben.close();
  for (const card of [web, data]) expect(card.text).toMatch(/@ben/u);
  await ben.press(web, 'Check');
  await desk.pass(20_000);
  expect(market.requests(PATHS.bid)).toHaveLength(1);
  await (await ben.press(web, 'Try Again')).send();
  const [first, second, ...more] = market.requests(PATHS.bid).map((it) => it.body);
  expect(second).toEqual(first);
  expect(more).toEqual([]);
  expect(market.jobs.map((it) => it.projectId)).toEqual([project.id]);
  expect(data.offers('Review')).toBe(true);
});

appTest('that is refused says why; one by /gig bid shows there, too', async ({ desk, market, ben }) => {
  const { web, data, project } = await invited(desk);
  market.fail(PATHS.bid, presetFaults.wrongJson({ success: false, error: 'The limit of today is used up' }));
  await (await ben.press(web, 'Bid')).send(SETUP);
  await ben.close();
  expect(web.text).toContain('today is used up');
  expect(web.offers('Try Again')).toBe(true);
  await (await ben.type(`/gig bid ${project.uid}`, 'data')).send(SETUP);
  for (const card of [web, data]) expect(card.text).toMatch(/@ben.*Fast setup/u);
});
