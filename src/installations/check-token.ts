/** Asks the marketplace before a workspace runs: its account's gate isn't open yet. */
import type { Config } from '../config.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { createRequestGate } from '../marketplace/gate/request-gate.ts';
import { createMarketplaceClient } from '../marketplace/http-client.ts';
import type { TransportParts } from '../marketplace/transport.ts';
import type { Secret } from '../secret.ts';

/** @param ask sends one request. @throws what it throws */
export async function askMarketplaceOnce<T>(
  { marketplace }: Pick<Config, 'marketplace'>,
  ports: Pick<TransportParts, 'clock' | 'random' | 'log' | 'dispatcher'>,
  token: Secret,
  ask: (client: MarketplaceClient) => Promise<T>,
): Promise<T> {
  const { requestsPerMinute: limit } = marketplace;
  // A single request needs no stored request history.
  const journal = { load: async () => undefined, save: async () => undefined };
  const gate = await createRequestGate({ ...ports, limit, journal });
  const client = createMarketplaceClient({ ...ports, ...marketplace, token, gate });
  try {
    return await ask(client);
  } finally {
    await client.close();
    await gate.close();
  }
}

/**
 * Asks for the auto bidding setups, which costs no credits.
 * @param token from `parseMarketplaceToken`
 * @throws MarketplaceError for a refused token or no answer
 */
export async function checkMarketplaceToken(
  config: Pick<Config, 'marketplace'>,
  ports: Pick<TransportParts, 'clock' | 'random' | 'log' | 'dispatcher'>,
  token: Secret,
): Promise<void> {
  await askMarketplaceOnce(config, ports, token, (client) => client.fetchBiddingSetups({ lane: 'person' }));
}
