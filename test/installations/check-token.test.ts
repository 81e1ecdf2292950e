import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { checkMarketplaceToken } from '../../src/installations/check-token.ts';
import { createLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { passTime } from '../pass-time.ts';
import { seededRandom } from '../seeded-random.ts';

let marketplace: SimulatedMarketplace;
let lines: string[];
const clock = new ManualClock();

beforeEach(async () => {
  lines = [];
  marketplace = await startSimulatedMarketplace({ clock, random: seededRandom(1) });
});
afterEach(() => marketplace.close());

function check(token: string): Promise<void> {
  const { baseUrl } = marketplace;
  const log = createLog('debug', { write: (line) => lines.push(line) });
  return checkMarketplaceToken(
    { marketplace: { baseUrl, requestsPerMinute: 'auto' } },
    { clock, random: seededRandom(1), log },
    new Secret(token),
  );
}

describe('the check of a token', () => {
  it('asks once, and costs no credits', async () => {
    await check(marketplace.token);
    expect(marketplace.requests()).toMatchObject([{ path: '/auto-bidding/setups' }]);
    expect(marketplace.consumedCredits().total).toBe(0);
  });

  it('says that the marketplace refused it, and shows it nowhere', async () => {
    const thrown: unknown = await check('another-token').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'unauthorised' });
    expect(marketplace.requests()).toHaveLength(1);
    expect(`${lines.join()}${JSON.stringify(thrown)}${String(thrown)}`).not.toContain('another-token');
  });

  it('says that nothing answered', async () => {
    await marketplace.close();
    let thrown: unknown;
    void check(marketplace.token).catch((error: unknown) => {
      thrown = error;
    });
    while (thrown === undefined) await passTime(clock, SECOND);
    expect(thrown).toMatchObject({ code: expect.stringMatching(/^(?:network|timeout)$/u), effect: 'none' });
  });
});
