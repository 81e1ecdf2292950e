/** Slack limits history to one call a minute and 15 messages: posts that may have arrived are still found. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

const CHANNELS = ['web', 'data'] as const;

appTest.for([
  ['before', false],
  ['after', false],
  ['after', true],
] as const)(
  'a card whose answer was lost %s its effect stands once in a busy channel (restart: %s)',
  async ([when, restarts], { app, market, slack, ada, ben, pass }) => {
    slack.setHistoryLimit('strict');
    await ada.type('/gig subscribe filter 101', 'data');
    const isCard = (method: string, args: object) =>
      method === 'chat.postMessage' && JSON.stringify(args).includes('New project');
    const lost = slack.injectFault(isCard, { kind: 'drop', when }, 2);
    market.publish(SHOP);
    await app.until('both answers are lost', () => lost.used === 2);
    for (const channel of CHANNELS)
      for (let n = 0; n < 50; n++) slack.postAsUser({ user: ben.name, channel, text: `words ${n}` });
    if (restarts) {
      await pass(3 * MINUTE);
      await app.kill();
      await app.start();
    }
    await pass(25 * MINUTE);
    for (const channel of CHANNELS)
      expect(ada.reads(channel).filter((it) => it.offers('Details'))).toHaveLength(1);
    // Each page is read once: at most 4 for each channel, plus those read again after a restart.
    const read = slack.apiCalls('conversations.history').filter((it) => it.error === undefined);
    if (!restarts) expect(read.length).toBeLessThanOrEqual(8);
  },
);
