/**
 * A downgrade: the newer version has written values that this one doesn't know. None of them is lost or
 * overwritten, and the app bids, buys or posts nothing twice because of it. Damaged records are refreshed.
 */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, PATHS, sendBid, setRules } from '../kit/start-desk.ts';
import { rewriteJournal } from '../rewrite-journal.ts';

type Fields = Record<string, unknown>;
type Change = [collection: string, key: unknown, value?: Fields];
const stored = appTestWith({ realDisk: true });
const reviewed = appTestWith({ realDisk: true, reviews: true });

/** Changes all records of a collection, as a newer version that runs in between. @returns them by key */
async function goBack({ app }: Desk, collection: string, change: (fields: Fields) => Fields) {
  await app.kill();
  const written = new Map<string, Fields>();
  await rewriteJournal(app.data.folder(), (json) => {
    const transaction: { changes?: Change[] } = JSON.parse(json);
    for (const each of transaction.changes ?? []) {
      const [name, key, value] = each;
      if (name !== collection) continue;
      written.delete(JSON.stringify(key));
      if (!value) continue;
      each[2] = change(value);
      written.set(JSON.stringify(key), each[2]);
    }
    return JSON.stringify(transaction);
  });
  await app.start();
  return written;
}

/** The records of a collection that are stored now, by key. Kills the app and starts it. */
function readStored(desk: Desk, collection: string) {
  return goBack(desk, collection, (it) => it);
}

describe('a bid with an outcome that only the newer version knows', () => {
  stored(
    'counts as unknown, stays as it was written, and is named by the status',
    async ({ desk, market, ada, ben, pass }) => {
      const card = await market.publish().cardIn('web');
      const late = await ada.press(card, 'Bid');
      await sendBid(ben, card);
      const written = await goBack(desk, 'bids', (it) => ({ ...it, state: 'negotiating', terms: ['new'] }));
      const form = await ben.press(card, 'Bid');
      expect((await form.press('Fast setup')).offers('Check')).toBe(true);
      await late.send({ 'Bidding setup': 'Fast setup' });
      expect(market.requests(PATHS.bid)).toHaveLength(1);
      const { text } = await ada.type('/gig status');
      expect(text.split('\n').filter((it) => it.includes(':warning:'))).toHaveLength(1);
      expect(desk.app.logLines.some((line) => line.includes('"collection":"bids"'))).toBe(true);
      await pass(10 * MINUTE);
      expect(await readStored(desk, 'bids')).toEqual(written);
    },
  );
});

reviewed(
  'a job approved in a way that is not known here is not approved a second time',
  async ({ desk, market, ada, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    await sendBid(ben, card, { 'Cover letter': 'Dear client' });
    market.fail(PATHS.approve, { kind: 'drop', when: 'before' });
    await ada.press(offering(card, 'Approve'), 'Approve');
    await goBack(desk, 'jobs', (it) =>
      it['approval'] ? { ...it, approval: { ...(it['approval'] as Fields), state: 'escalated' } } : it,
    );
    await pass(5 * MINUTE);
    const shown = await ben.type(`/gig job ${market.jobs[0]?.id}`);
    expect(shown.text).toContain('@ada');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  },
);

stored(
  'cards and posts that can’t be read are not posted again, and stay as they are',
  async ({ desk, market, ada, pass }) => {
    const cards = () => ada.reads('web').filter((it) => it.offers('Details'));
    await market.publish().cardIn('web');
    const strange = {
      cards: await goBack(desk, 'cards', (it) => ({ ...it, state: 'snoozed' })),
      posts: await goBack(desk, 'posts', (it) => ({ ...it, state: 'archived' })),
    };
    await market.publish({ title: 'Another' }).cardIn('web');
    await pass(5 * MINUTE);
    expect(cards()).toHaveLength(2);
    for (const [collection, written] of Object.entries(strange)) {
      const now = await readStored(desk, collection);
      expect(now).toEqual(new Map([...now, ...written]));
    }
  },
);

stored('a reservation that can’t be read holds its credits', async ({ desk, market, ada }) => {
  market.service.addFilter({ id: 102, name: 'Shops' });
  await ada.type('/gig budget 30');
  market.fail('/filters/102/projects', { kind: 'hold-headers' });
  await ada.type('/gig subscribe filter 102');
  const written = await goBack(desk, 'credit-reservations', (it) => ({ ...it, state: 'parked' }));
  const held = [...written.values()].reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(held).toBeGreaterThan(0);
  expect((await ada.type('/gig budget')).text).toContain(`${held}`);
});

reviewed(
  'a bid whose audit entries can’t be read is refreshed like any other',
  async ({ desk, market, ada, ben }) => {
    await setRules(ada, { 'Connects a week for this channel': '40' });
    const card = await market.publish().cardIn('web');
    await sendBid(ben, card);
    await (await ada.press(offering(card, 'Review'), 'Review')).send();
    const damaged = { audit: [{ lost: true }] };
    await goBack(desk, 'bids', (it) => ({ ...it, ...damaged }));
    await goBack(desk, 'jobs', (it) =>
      it['approval'] ? { ...it, approval: { ...(it['approval'] as Fields), ...damaged } } : it,
    );
    const details = await ben.type(`/gig job ${market.jobs[0]?.id}`);
    const refreshed = await details.press('Refresh');
    expect(refreshed.text).not.toMatch(/went wrong|couldn.t/iu);
    expect(refreshed.text).toMatch(/scheduled|approved/iu);
    await desk.pass(5 * MINUTE);
    expect(card.text).toMatch(/@ben.*Fast setup/u);
  },
);
