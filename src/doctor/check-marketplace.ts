/** Checks the marketplace API with a free endpoint. */
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { DoctorFinding } from './finding.ts';

const CHECK = 'marketplace API';

interface Diagnosis {
  readonly detail: string;
  readonly remedy: string;
}

const CHECK_NETWORK = 'check your network, proxy, and MARKETPLACE_API_URL';

const diagnoses: Partial<Record<MarketplaceErrorCode, Diagnosis>> = {
  unauthorised: {
    detail: 'the token was rejected (401)',
    remedy: 'generate a new token in the marketplace dashboard (API tokens), and set MARKETPLACE_API_TOKEN',
  },
  'subscription-inactive': {
    detail: "the team's subscription is inactive (402)",
    remedy: 'renew the subscription; the feed resumes automatically',
  },
  forbidden: {
    detail: "the token doesn't have permission (403)",
    remedy: 'ask an owner or admin to add API access to the plan or token in the dashboard',
  },
  'not-found': {
    detail: 'nothing found at this URL (404)',
    remedy: 'set MARKETPLACE_API_URL to the base URL, including the version at the end (/v1)',
  },
  'rate-limited': {
    detail: 'too many requests (429)',
    remedy: 'other programs use the same account; try again in a minute',
  },
  server: { detail: 'the marketplace returned an error (5xx)', remedy: 'try again in a few minutes' },
  network: { detail: "can't be reached", remedy: CHECK_NETWORK },
  timeout: { detail: 'no response in time', remedy: CHECK_NETWORK },
  unreadable: {
    detail: "the response isn't from the API",
    remedy: 'set MARKETPLACE_API_URL to the base URL, including the version at the end (/v1)',
  },
};

/**
 * The result while Gigdesk runs. It counts its requests against the account's limit but can't count the
 * doctor's, so one more could exceed the limit.
 */
export const marketplaceCheckSkippedFinding: DoctorFinding = {
  check: CHECK,
  ok: true,
  detail: 'not checked: Gigdesk is running and uses the same request limit',
  remedy:
    'see `/gig status` in Slack for the state of the API, ' +
    'or send one request anyway with `npm run doctor -- --ask`',
};

/** Sends one request in the `person` lane. @throws anything but a MarketplaceError: a bug in Gigdesk */
export async function checkMarketplace(marketplace: MarketplaceClient): Promise<DoctorFinding> {
  try {
    const setups = await marketplace.fetchBiddingSetups({ lane: 'person' });
    return {
      check: CHECK,
      ok: true,
      detail: `connected; ${setups.length} auto bidding ${setups.length === 1 ? 'setup' : 'setups'}`,
    };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    return { check: CHECK, ok: false, detail: thrown.code, remedy: CHECK_NETWORK, ...diagnoses[thrown.code] };
  }
}
