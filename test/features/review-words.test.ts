/** Every marketplace wording for a job that waits for review lets a person approve it. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import {
  REVIEW_STATUS_NAMES,
  type ReviewStatusName,
} from '../../src/workbench/marketplace/review-status-names.ts';
import { appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, PATHS, sendBid } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const WAITING = 'waiting for review';

/** A bid whose review the marketplace names so. */
async function bidIn({ market, person, pass }: Desk, reviewWords: ReviewStatusName) {
  market.service.setModes({ reviewWords });
  const card = await market.publish().cardIn('web');
  await sendBid(person('ben'), card, { 'Cover letter': 'Dear client' });
  await pass(MINUTE);
  return { card, id: market.jobs[0]?.id ?? expect.fail('no job') };
}

const clear = Object.keys(REVIEW_STATUS_NAMES).filter((words) => words !== 'unclear') as ReviewStatusName[];

reviewed.for(clear)(
  'a job that waits in the words “%s” is counted, and approved',
  async (words, { desk, market, ada, ben }) => {
    const { card, id } = await bidIn(desk, words);
    expect(card.text).toContain(WAITING);
    expect((await ben.home()).offers('Review')).toBe(true);
    expect((await ben.type(`/gig job ${id}`)).text).toContain(WAITING);
    await ada.type('/gig digest now');
    for (const fact of [WAITING, `#${id}`]) expect(ada.reads('web').at(-1)?.text).toContain(fact);
    await ben.press(offering(card, 'Approve'), 'Approve');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
    expect(card.text).toContain('approved by @ben');
    expect(card.text).not.toContain(WAITING);
    expect((await ben.home()).offers('Review')).toBe(false);
  },
);

describe('a job of which nobody can say whether it waits', () => {
  reviewed('is not said to, and an approver may try, twice', async ({ desk, market, ben }) => {
    const { card, id } = await bidIn(desk, 'unclear');
    const shown = await ben.type(`/gig job ${id}`);
    for (const text of [card.text, shown.text]) {
      expect(text).toContain('On hold');
      expect(text).not.toContain(WAITING);
    }
    expect((await ben.home()).offers('Review')).toBe(false);
    market.fail(PATHS.approve, { kind: 'answer', status: 400, json: { error: 'Nothing to approve here' } });
    const refused = await (await ben.press(card, 'Review')).send();
    for (const text of [refused.text, card.text]) expect(text).toContain('Nothing to approve here');
    await ben.close();
    await (await ben.press(card, 'Review')).send();
    expect(market.requests(PATHS.approve)).toHaveLength(2);
    expect(card.text).toContain('approved by @ben');
  });

  reviewed(
    'is read before anything is sent: one that went on is not approved',
    async ({ desk, market, ben }) => {
      const { card, id } = await bidIn(desk, 'unclear');
      const window = await ben.press(card, 'Review');
      market.service.updateJob(id, { status: 'scheduled' });
      expect((await window.send()).text).toContain('scheduled');
      expect(market.requests(PATHS.approve)).toEqual([]);
    },
  );
});

reviewed('a job that goes on, or has ended, offers no approval', async ({ desk, market, ben }) => {
  const { card, id } = await bidIn(desk, 'usual');
  for (const status of ['scheduled', 'processing', 'completed', 'failed', 'skipped'] as const) {
    market.service.updateJob(id, { status });
    const shown = await ben.type(`/gig job ${id}`);
    expect(shown.offers('Refresh')).toBe(true);
    expect(shown.offers('Approve')).toBe(false);
    expect(card.offers('Review')).toBe(false);
  }
});
