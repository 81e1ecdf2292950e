/** Numbers in different places agree, or say what they leave out. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

appTestWith({ empty: true })(
  "a digest's funnel names the hires from invitations that it leaves out",
  async ({ app, market, ada, pass }) => {
    const { service } = market;
    service.addProfile({ id: 301 });
    await ada.type('/gig subscribe outcomes 301');
    await pass(MINUTE);
    const at = app.clock.now();
    for (const id of [1, 2, 3])
      service.addProposal({ id, profileId: 301, submittedAt: at - id * HOUR, isInvitation: id === 3 });
    await pass(3 * MINUTE);
    for (const id of [2, 3]) service.updateProposal(id, { isHired: true });
    await pass(3 * MINUTE);
    await ada.type('/gig digest now');
    const digest = ada.reads('web').findLast((it) => it.text.includes('2 hired')) ?? expect.fail('no digest');
    const charts = digest.replies().map(({ text }) => text);
    expect(charts.join('\n')).toMatch(/1 hire from 2 proposals/u);
    expect(charts.join('\n')).toMatch(/1 invitation.*1 hire/u);
  },
);

appTest('/gig try says nothing of projects that another filter still shows', async ({ market, ada }) => {
  market.service.addFilter({ id: 102, name: 'Shops' });
  await ada.type('/gig subscribe filter 102');
  const card = await market.publish(SHOP, [101, 102]).cardIn('web');
  await ada.press(card, 'Claim');
  const tried = await ada.type('/gig try 101 budget:>100000');
  expect(tried.text).toContain('Another filter of this channel still shows 1 of the hidden ones');
  expect(tried.text).not.toMatch(/nobody claimed/iu);
});
