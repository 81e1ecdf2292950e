/** Checks the marketplace side with an endpoint that costs nothing. */
import type { Marketplace } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { Finding } from './finding.ts';

const CHECK = 'marketplace API';

interface Diagnosis {
  readonly says: string;
  readonly remedy: string;
}

const CHECK_NETWORK = 'check the network, a proxy, and MARKETPLACE_API_URL';

const diagnoses: Partial<Record<MarketplaceErrorCode, Diagnosis>> = {
  unauthorised: {
    says: 'the token is refused (401)',
    remedy: "generate a new token in the service's dashboard (API tokens) and set MARKETPLACE_API_TOKEN",
  },
  'subscription-inactive': {
    says: "the team's subscription is inactive (402)",
    remedy: 'renew the subscription; the feed resumes by itself',
  },
  forbidden: {
    says: 'the token lacks permission (403)',
    remedy: 'the plan or the token lacks API access: an owner or admin adds it in the dashboard',
  },
  'not-found': {
    says: 'nothing is at this address (404)',
    remedy: 'MARKETPLACE_API_URL must be the base address with the version, ending in /v1',
  },
  'rate-limited': {
    says: 'too many requests (429)',
    remedy: 'others use the same account; try again in a minute',
  },
  server: { says: 'the service has a fault of its own (5xx)', remedy: 'try again in some minutes' },
  network: { says: "can't be reached", remedy: CHECK_NETWORK },
  timeout: { says: 'did not answer in time', remedy: CHECK_NETWORK },
  unreadable: {
    says: 'answered something that is no API answer',
    remedy: 'MARKETPLACE_API_URL must be the base address with the version, ending in /v1',
  },
};

/**
 * In place of asking beside a Gigdesk that runs. It counts its requests against the account's limit and can't count the
 * doctor's, so one more could exceed the limit.
 */
export const notAsked: Finding = {
  check: CHECK,
  ok: true,
  says: 'not checked: Gigdesk is running and uses up the same request limit',
  remedy:
    '`/gig status` in Slack shows how the API answers; `npm run doctor -- --ask` sends one request anyway',
};

/** Asks once in the person's lane. @throws what is no MarketplaceError: a fault of ours. */
export async function checkMarketplace(marketplace: Marketplace): Promise<Finding> {
  try {
    const setups = await marketplace.setups({ lane: 'person' });
    return {
      check: CHECK,
      ok: true,
      says: `answers; ${setups.length} auto bidding ${setups.length === 1 ? 'setup' : 'setups'}`,
    };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    return { check: CHECK, ok: false, says: thrown.code, remedy: CHECK_NETWORK, ...diagnoses[thrown.code] };
  }
}
