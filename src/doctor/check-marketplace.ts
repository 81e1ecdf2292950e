/** Checks the marketplace side with an endpoint that costs nothing. */
import type { Marketplace } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { Finding } from './finding.ts';

const CHECK = 'marketplace API';

const remedies: Partial<Record<MarketplaceErrorCode, string>> = {
  unauthorised: 'generate a new token in the service’s dashboard (API tokens) and set MARKETPLACE_API_TOKEN',
  'subscription-inactive': 'renew the team’s subscription; the feed resumes by itself',
  forbidden: 'the plan or the token lacks API access: an owner or admin adds it in the dashboard',
  'not-found': 'MARKETPLACE_API_URL must be the base address with the version, ending in /v1',
  'rate-limited': 'others use the same account; try again in a minute',
};

export async function checkMarketplace(marketplace: Marketplace): Promise<Finding> {
  try {
    const setups = await marketplace.setups({ lane: 'person' });
    return { check: CHECK, ok: true, says: `answers; ${setups.length} auto bidding setups` };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    const remedy = remedies[thrown.code] ?? 'check the network, a proxy, and MARKETPLACE_API_URL';
    return { check: CHECK, ok: false, says: thrown.code, remedy };
  }
}
