/** Slack limits history to one call a minute and 15 messages: posts that may have arrived are still found. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import type { JsonObject } from '../../src/workbench/slack/objects.ts';
import { appTest } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

const CHANNELS = ['web', 'data'] as const;

appTest.for([
  ['before', 'no more'],
  ['after', 'no more'],
  ['after', 'a restart'],
  ['before', 'forgotten cursors'],
] as const)(
  'a card whose answer was lost %s its effect stands once in a busy channel (trouble: %s)',
  async ([when, trouble], { app, market, slack, ada, ben, pass }) => {
    slack.setHistoryLimit('strict');
    await ada.type('/gig subscribe filter 101', 'data');
    const isCard = (method: string, args: object) =>
      method === 'chat.postMessage' && JSON.stringify(args).includes('New project');
    const lost = slack.injectFault(isCard, { kind: 'drop', when }, 2);
    market.publish(SHOP);
    await app.until('both answers are lost', () => lost.used === 2);
    for (const channel of CHANNELS)
      for (let n = 0; n < 50; n++) slack.postAsUser({ user: ben.name, channel, text: `words ${n}` });
    if (trouble === 'forgotten cursors') {
      // Each channel's search begins anew after the first page.
      const begun = new Map<unknown, number>();
      const isForgotten = (method: string, { channel, cursor }: JsonObject) => {
        if (method !== 'conversations.history') return false;
        if (!cursor) begun.set(channel, (begun.get(channel) ?? 0) + 1);
        return Boolean(cursor) && (begun.get(channel) ?? 0) < 3;
      };
      slack.injectFault(isForgotten, { kind: 'error', error: 'invalid_cursor' }, Number.POSITIVE_INFINITY);
    }
    if (trouble === 'a restart') {
      await pass(3 * MINUTE);
      await app.kill();
      await app.start();
    }
    await pass(25 * MINUTE);
    for (const channel of CHANNELS)
      expect(ada.reads(channel).filter((it) => it.offers('Details'))).toHaveLength(1);
    // Each page is read once: at most 4 for each channel, plus those read again after a restart.
    const read = slack.apiCalls('conversations.history').filter((it) => it.error === undefined);
    if (trouble === 'no more') expect(read.length).toBeLessThanOrEqual(8);
  },
);
