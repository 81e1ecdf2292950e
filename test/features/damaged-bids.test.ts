/** Bids whose stored records were damaged go on, and are refreshed. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { setRules } from '../kit/start-desk.ts';
import { rewriteJournal } from '../rewrite-journal.ts';

type Change = [collection: string, key: unknown, value?: Record<string, unknown>];

/** Bids and approvals without a readable key of their audit entries. */
function withoutAuditKeys(json: string): string {
  const transaction = JSON.parse(json) as { changes: Change[] };
  for (const [collection, , value] of transaction.changes) {
    if (!value || !['bids', 'jobs'].includes(collection)) continue;
    const place = (collection === 'bids' ? value : value['approval']) as Record<string, unknown> | undefined;
    if (place) place['audit'] = [{ lost: true }];
  }
  return JSON.stringify(transaction);
}

const stored = appTestWith({ reviews: true, realDisk: true });

stored(
  'a bid whose audit entries can’t be read is refreshed like any other',
  async ({ desk, app, market, ada, ben }) => {
    await setRules(desk.person('ada'), { 'Connects a week for this channel': '40' });
    const card = await market.publish().cardIn('web');
    await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup' });
    await ben.close();
    const request = card.replies().find((it) => it.offers('Reject'));
    await (await ada.press(request ?? expect.fail('no request'), 'Review')).send();
    const [job] = market.jobs;
    await app.kill();
    await rewriteJournal(app.data.folder(), withoutAuditKeys);
    await app.start();
    const details = await ben.type(`/gig job ${job?.id}`);
    const refreshed = await details.press('Refresh');
    expect(refreshed.text).not.toMatch(/went wrong|couldn.t/iu);
    expect(refreshed.text).toMatch(/scheduled|approved/iu);
    await desk.pass(5 * MINUTE);
    expect(card.text).toMatch(/@ben.*Fast setup/u);
    expect(app.logLines.filter((it) => /"level":"error"/u.test(it))).toEqual([]);
  },
);
