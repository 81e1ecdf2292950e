/** Checks a marketplace token before it is stored. */
import type { AppDependencies } from '../app-contract.ts';
import type { Config } from '../config.ts';
import { createRequestGate } from '../marketplace/gate/request-gate.ts';
import { createMarketplaceClient } from '../marketplace/http-client.ts';
import type { Secret } from '../secret.ts';

/** Remembers nothing: the account's gate isn't open yet. */
const noJournal = { load: async () => undefined, save: async () => undefined };

/**
 * Asks for the auto bidding setups, which costs no credits.
 * @param token from `parseMarketplaceToken`
 * @throws MarketplaceError for a refused token or no answer
 */
export async function checkMarketplaceToken(
  { marketplace }: Pick<Config, 'marketplace'>,
  ports: AppDependencies,
  token: Secret,
): Promise<void> {
  const gate = await createRequestGate({
    ...ports,
    limit: marketplace.requestsPerMinute,
    journal: noJournal,
  });
  const client = createMarketplaceClient({ ...ports, ...marketplace, token, gate });
  try {
    await client.fetchBiddingSetups({ lane: 'person' });
  } finally {
    await client.close();
    await gate.close();
  }
}
