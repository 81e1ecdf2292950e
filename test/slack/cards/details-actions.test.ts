import { beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { MessageTs, UserId } from '../../../src/ids.ts';
import {
  claimDetailsThread,
  detailsThreads,
  recordDetailsPosted,
} from '../../../src/slack/cards/details-actions.ts';
import type { Store } from '../../../src/storage/store.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { CHANNEL, NOW, TEAM } from '../samples.ts';

let store: Store;
beforeEach(() => {
  store = createMemoryStore();
});

function threadOf(card: number, at: number) {
  return { team: TEAM, channel: CHANNEL, card: MessageTs.parse(`${card}.0`), by: UserId.parse('U1'), at };
}

async function post(card: number, at: number): Promise<void> {
  const thread = threadOf(card, at);
  await store.transact(async (tx) => {
    await claimDetailsThread(tx, thread);
    await recordDetailsPosted(tx, thread, MessageTs.parse(`${card}.1`), at);
  });
}

async function known(): Promise<readonly string[]> {
  const entries = await store.read((tx) => tx.list(detailsThreads, { prefix: [TEAM], limit: 50 }));
  return entries.map(({ value }) => value.card);
}

describe('the details of cards', () => {
  it('are forgotten after 90 days, as cards are, when others are posted', async () => {
    await post(1, NOW);
    await post(2, NOW + DAY);
    await post(3, NOW + 90 * DAY);
    expect(await known()).toEqual(['1.0', '2.0', '3.0']);
    await post(4, NOW + 90 * DAY + 1);
    expect(await known()).toEqual(['2.0', '3.0', '4.0']);
  });

  it('are posted once as long as they are known', async () => {
    await post(1, NOW);
    const again = await store.transact((tx) => claimDetailsThread(tx, threadOf(1, NOW + 200 * DAY)));
    expect(again).toMatchObject({ ts: '1.1' });
  });
});
