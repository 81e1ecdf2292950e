/** Statistics of copied proposals: counted, compared, and how sure that is. */
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { SimulatedProposal } from '../../src/workbench/marketplace/records.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Desk } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });
const PROFILE = 31;
const PITCH = { id: 12, name: 'Short pitch' };
const LONG = { id: 13, name: 'Long <!channel> letter' };

/** Similar proposals: the first one this many days old, each next one an hour older. */
function send({ app, market }: Desk, count: number, daysOld: number, known: Partial<SimulatedProposal> = {}) {
  return Array.from({ length: count }, (_, n) =>
    market.service.addProposal({
      profileId: PROFILE,
      submittedAt: app.clock.now() - daysOld * DAY - n * HOUR,
      isViewed: false,
      isInterviewed: false,
      isHired: false,
      isWithdrawn: false,
      isInvitation: false,
      connects: 10,
      boost: 0,
      coverLetterVariant: 'A',
      biddingTemplate: PITCH,
      ...known,
    }),
  );
}

async function follow({ market, person, pass }: Desk): Promise<void> {
  market.service.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  await person('ada').type(`/gig subscribe outcomes ${PROFILE}`);
  await pass(2 * MINUTE);
}

appTest(
  'counts what was copied, and says what differs by more than chance',
  async ({ desk, market, ada }) => {
    expect((await ada.type('/gig stats')).text).toContain('/gig subscribe outcomes');
    market.service.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
    // 40 of a template that clients view and 40 of one that they don't, and some that are counted separately.
    send(desk, 4, 9, { isViewed: true, isInterviewed: true, isHired: true });
    send(desk, 26, 10, { isViewed: true });
    send(desk, 10, 12);
    send(desk, 5, 14, { biddingTemplate: LONG, isViewed: true });
    send(desk, 35, 15, { biddingTemplate: LONG });
    send(desk, 6, 1);
    send(desk, 3, 2, { isInvitation: true, isViewed: true });
    send(desk, 7, 40, { isViewed: true });
    await ada.type(`/gig subscribe outcomes ${PROFILE}`);
    await desk.pass(2 * MINUTE);
    const month = await ada.type('/gig stats');
    expect(month.text).toMatch(/\b86\b.*\b30\b.*\b80\b/u);
    // 35 of 80; Wilson: 0.4375 + 3.8415/160 = 0.4615, / 1.0480 = 0.4404, ± 0.1062.
    expect(month.text).toMatch(/\b44%.*\b33 to 55%.*\b35 of 80\b/u);
    expect(month.text).toMatch(/\b5%.*\b2 to 12%.*\b4 of 80\b/u);
    expect(month.text).toMatch(/“Short pitch” \(12\) +\| 40 +\| 75%.*more often/u);
    expect(month.text).toMatch(/“Long <!channel> letter” \(13\) +\| 40 +\| 13%.*less often/u);
    expect(month.text).toContain('“Ada Webb” (31)');
    expect((await month.press('By letter')).text).toMatch(/“Short pitch” \(12\), letter A +\| 40 /u);
    expect((await month.press('By boost')).text).toMatch(/No boost +\| 80 /u);
    expect((await month.press('Last 90 Days')).text).toMatch(/\b93\b.*\b90\b/u);
    const eva = desk.person('eva', { tz: 'Pacific/Auckland' });
    const hers = await (await eva.type('/gig stats')).press('By weekday');
    expect(hers.text).toMatch(/\(Pacific\/Auckland\)/u);
    expect(JSON.stringify(ada.reads('web').map(({ text }) => text))).not.toContain('Short pitch');
    expect(market.service.consumedCredits().total).toBe(0);
  },
);

appTest(
  'follows what becomes of proposals, and takes a number of days',
  async ({ desk, market, ada, pass }) => {
    await follow(desk);
    expect((await ada.type('/gig stats')).text).not.toMatch(/\bof \d/u);
    const [sent] = send(desk, 1, 8);
    await pass(3 * MINUTE);
    expect((await ada.type('/gig stats')).text).toMatch(/\b0%.*\b0 to 79%.*\b0 of 1\b/u);
    market.service.updateProposal(sent?.id ?? 0, { isHired: true });
    await pass(3 * MINUTE);
    const { text } = await ada.type('/gig stats');
    expect(text).not.toMatch(/\b0 of 1\b/u);
    expect(text).toMatch(/\b100%.*\b21 to 100%.*\b1 of 1\b/u);
    for (const days of ['7', '7d', '7 days'])
      expect((await ada.type(`/gig stats ${days}`)).text).toContain('last 7 days');
    for (const nonsense of ['0', '366', 'lots', '<!channel>'])
      expect((await ada.type(`/gig stats ${nonsense}`)).text).toMatch(/\b1\b.*\b365\b/u);
    const gil = desk.person('gil', { guest: 'single' });
    expect((await gil.type('/gig stats')).text).not.toContain('%');
  },
);
