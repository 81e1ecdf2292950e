/** Bids on an invitation's project: they show on its card in every channel, and go on from there. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Desk, letBid, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const PROFILE = 31;
const reviewed = appTestWith({ reviews: true });
const QUIET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  boostOutbid: false,
};

/** An invitation in `web` and `data`, to a project that no filter found. */
async function invite({ market, person, pass }: Desk) {
  market.service.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  const ada = person('ada');
  for (const channel of ['web', 'data']) await ada.type(`/gig subscribe invitations ${PROFILE}`, channel);
  await pass(MINUTE);
  const { project } = market.publish({ ...SHOP, title: 'Chairs in React' }, []);
  const seed = { profileId: PROFILE, title: project.title, jobPostingUid: project.uid };
  market.service.addInvitation(seed);
  await pass(4 * MINUTE);
  const [web, data] = ['web', 'data'].map((it) =>
    ada.reads(it).find(({ text }) => text.includes('Invitation: ')),
  );
  return { project, web: web ?? expect.fail('no invitation'), data: data ?? expect.fail('no invitation') };
}

reviewed(
  'a bid shows on every card, is approved there, and tells what it became',
  async ({ desk, market, ben, pass }) => {
    const { web, data } = await invite(desk);
    const before = ben.reads('web').length;
    await sendBid(ben, web);
    const [job] = market.jobs;
    for (const card of [web, data]) {
      expect(card.text).toMatch(/@ben.*Fast setup/u);
      expect(card.offers('Review')).toBe(true);
      expect(card.offers('Bid')).toBe(false);
    }
    expect(ben.reads('web')).toHaveLength(before);
    expect(
      web
        .replies()
        .map((it) => it.text)
        .join('\n'),
    ).toContain(`#${job?.id}`);
    await (await ben.press(web, 'Review')).send();
    expect(market.requests(PATHS.approve)).toHaveLength(1);
    expect(data.offers('Review')).toBe(false);
    const { applicationUid, id } = market.service.addProposal({ profileId: PROFILE, ...QUIET });
    market.service.updateJob(job?.id ?? 0, { status: 'completed', applicationUid });
    await desk.restart();
    await pass(60 * MINUTE);
    market.service.updateProposal(id, { isViewed: true, isInterviewed: true });
    await pass(15 * MINUTE);
    for (const card of [web, data]) expect(card.text).toMatch(/interviewed/iu);
    expect(web.replies().at(-1)?.text).toMatch(/interviewed/iu);
    expect(data.offers('Proposal')).toBe(true);
  },
);

reviewed(
  'a bid without an answer is checked and tried again there, as it was typed',
  async ({ desk, market, ben }) => {
    const { project, web, data } = await invite(desk);
    market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
    await sendBid(ben, web, { 'Cover letter': 'Dear client' });
    await ben.press(web, 'Check');
    expect(market.requests(PATHS.bid)).toHaveLength(1);
    market.fail(PATHS.bid, presetFaults.wrongJson({ success: false, error: 'The limit is used up' }));
    await (await ben.press(web, 'Try Again')).send();
    await ben.close();
    expect(web.text).toContain('limit is used up');
    await (await ben.press(web, 'Try Again')).send();
    const [first, ...later] = market.requests(PATHS.bid).map((it) => it.body);
    expect(later).toEqual([first, first]);
    expect(market.jobs.map((it) => it.projectId)).toEqual([project.id]);
    expect(data.offers('Review')).toBe(true);
  },
);

reviewed('it shares its bids with the project’s other names', async ({ desk, market, ada, ben }) => {
  const { project, web, data } = await invite(desk);
  await letBid(desk, ['ben'], 'data');
  await (await ben.type(`/gig bid ${project.ciphertext}`, 'data')).send({ 'Bidding setup': 'Fast' });
  expect(web.text).not.toContain('@ben');
  await ada.type(`/gig lookup ${project.uid}`);
  for (const card of [web, data]) expect(card.text).toContain(`#${market.jobs[0]?.id}`);
  const again = await (await ada.type(`/gig bid ${project.uid}`)).send({ 'Bidding setup': 'Fast' });
  expect(again.text).toContain(`#${market.jobs[0]?.id}`);
  expect(market.requests(PATHS.bid)).toHaveLength(1);
});
