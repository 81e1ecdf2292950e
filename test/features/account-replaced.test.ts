/** What stopped because the account's token was refused goes on as soon as the token is replaced. */
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { UserId } from '../../src/ids.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { FILTER, startDesk } from '../kit/start-desk.ts';
import { installedApp, type StoredAccount } from './account-app.ts';

const INSTALLER = UserId.parse('U00000001');
const REFUSED = /refuse|token/iu;

test.each([
  ['filter', '/filters/*/projects'],
  ['invitations', '/invitations'],
  ['outcomes', '/proposals'],
])('a replaced token is used at once for %s', async (feed, path) => {
  const account: StoredAccount = { installedBy: INSTALLER };
  const desk = await startDesk({ createApp: installedApp(account), empty: true });
  try {
    const { market, app } = desk;
    const ada = desk.person('ada');
    market.service.addFilter(FILTER);
    const { id: profile } = market.service.addProfile();
    const enterToken = async (button: string) => {
      const form = await ada.press(await ada.home(), button);
      await form.send({ 'API token': market.service.token });
      do await desk.pass(SECOND);
      while (account.isReopening);
      await ada.close();
    };
    await enterToken('Connect Your Marketplace Account');
    await ada.type(`/gig subscribe ${feed} ${feed === 'filter' ? FILTER.id : profile}`);
    await desk.pass(5 * MINUTE);
    const refused = market.fail(path, presetFaults.status(401), Number.POSITIVE_INFINITY);
    await desk.pass(HOUR);
    const before = refused.hits();
    await app.until('one more refusal', () => refused.hits() > before);
    expect((await ada.type('/gig list')).text).toMatch(REFUSED);
    market.service.clearFaults();
    const asked = market.requests(path).length;
    await enterToken('Replace Token');
    await desk.pass(5 * SECOND);
    expect(market.requests(path).length).toBeGreaterThan(asked);
    expect((await ada.type('/gig list')).text).not.toMatch(REFUSED);
  } finally {
    await desk.stop();
  }
});
