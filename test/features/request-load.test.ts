/** Pasted links and lookups leave room for bids and the feed, even under a low limit. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const limited = (requestsPerMinute: number) =>
  appTestWith({ requestsPerMinute, env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(requestsPerMinute) } });

/** IDs that the marketplace doesn't know, in numbered blocks. */
function unknownIds(count: number, block = 1): readonly string[] {
  const id = (place: number) => `~029${String(block * 1_000 + place).padStart(15, '0')}`;
  return Array.from({ length: count }, (_, place) => id(place));
}

/** A message of ada's with that many links. */
async function paste({ slack }: Desk, ids: readonly string[]): Promise<void> {
  const urls = ids.map((id) => `https://www.marketplace.example/jobs/${id}`);
  await slack.postLinks({ user: 'ada', channel: 'web', urls });
}

const command = ({ slack }: Desk, user: string, id: string) =>
  slack.runSlashCommand({ user, channel: 'web', text: `lookup ${id}` });

const goodReads = ({ market }: Desk) =>
  market.requests(PATHS.projects).filter(({ status }) => status === 200).length;

describe('at 5 requests a minute', () => {
  const appTest = limited(5);

  appTest.for<readonly [string, (desk: Desk) => Promise<unknown>]>([
    [
      'two messages of five links',
      async (desk) => {
        await paste(desk, unknownIds(5, 1));
        await paste(desk, unknownIds(5, 2));
      },
    ],
    ['a run of lookups', (desk) => Promise.all(unknownIds(10).map((id) => command(desk, 'ada', id)))],
  ])('%s delays no bid', async ([, trouble], { app, desk, market, ben, pass }) => {
    const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
    await pass(2 * MINUTE);
    await trouble(desk);
    const from = app.clock.now();
    await Promise.all([
      form.send({ 'Bidding setup': 'Fast setup' }),
      app.until('the bid', () => market.requests(PATHS.bid).length === 1, 3 * MINUTE),
    ]);
    expect(app.clock.now() - from).toBeLessThanOrEqual(21 * SECOND);
  });

  appTest(
    'a run of lookups is told when to go on, and leaves the feed most of its reads',
    async ({ desk, ada, pass }) => {
      await pass(2 * MINUTE);
      const before = goodReads(desk);
      for (const id of unknownIds(36)) {
        await command(desk, 'ada', id);
        await pass(5 * SECOND);
      }
      expect(goodReads(desk) - before).toBeGreaterThanOrEqual(6);
      expect(ada.notes('web').filter(({ text }) => /Try again/iu.test(text)).length).toBeGreaterThanOrEqual(
        6,
      );
    },
  );
});

describe('at 30 requests a minute', () => {
  const appTest = limited(30);

  appTest('a message of links every 5 s does not stop the feed', async ({ desk, market, pass }) => {
    const start = goodReads(desk);
    await pass(3 * MINUTE);
    const usual = goodReads(desk) - start;
    for (let message = 0; message < 36; message++) {
      await paste(desk, unknownIds(5, message));
      await pass(5 * SECOND);
    }
    expect(goodReads(desk) - usual - start).toBeGreaterThanOrEqual(0.7 * usual);
    await market.publish().cardIn('web');
  });

  appTest(
    'links are asked for one at a time, those of the newest message first',
    async ({ desk, market, pass }) => {
      await pass(2 * MINUTE);
      market.fail(PATHS.lookup, { kind: 'hold-headers', ms: 3_000 }, 100);
      const [old, older, newest] = [unknownIds(5, 1), unknownIds(5, 2), unknownIds(5, 3)] as const;
      for (const ids of [old, older, newest]) await paste(desk, ids);
      await pass(SECOND);
      expect(market.requests(PATHS.lookup)).toHaveLength(1);
      await pass(MINUTE);
      const asked = market.requests(PATHS.lookup).map(({ query }) => query['ciphertext'] ?? '');
      expect(asked.filter((id) => old.includes(id))).toHaveLength(1);
      expect(asked.filter((id) => older.includes(id))).toEqual([]);
      expect(asked.filter((id) => newest.includes(id)).length).toBeGreaterThanOrEqual(2);
    },
  );

  appTest(
    'an unknown ID is asked for once in some minutes, and people hear when',
    async ({ desk, market, ben, pass }) => {
      const [id = ''] = unknownIds(1);
      for (let time = 0; time < 3; time++) {
        await paste(desk, [id]);
        await pass(20 * SECOND);
      }
      expect(market.requests(PATHS.lookup)).toHaveLength(1);
      expect((await ben.type(`/gig lookup ${id}`)).text).toMatch(/Couldn't find project.*\d:\d\d/su);
      expect(market.requests(PATHS.lookup)).toHaveLength(1);
      await pass(5 * MINUTE);
      expect((await ben.type(`/gig lookup ${id}`)).text).toContain("Couldn't find project");
      expect(market.requests(PATHS.lookup)).toHaveLength(2);
    },
  );
});
