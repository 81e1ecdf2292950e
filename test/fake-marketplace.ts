/** A marketplace object with scripted answers that records its calls. */
import type { MarketplaceClient } from '../src/marketplace/client.ts';
import { createUnconnectedClient } from '../src/marketplace/http-client.ts';

/** @param answers each call's result; any other call fails */
export function fakeMarketplace(answers: Partial<MarketplaceClient>) {
  const calls: { readonly name: string; readonly parameters: readonly unknown[] }[] = [];
  const noting = Object.entries({ ...createUnconnectedClient(), ...answers }).map(([name, answer]) => {
    const answered = (...parameters: unknown[]): unknown => {
      // It asks the marketplace nothing.
      if (name !== 'fixedPageSize') calls.push({ name, parameters });
      return Reflect.apply(answer, undefined, parameters);
    };
    return [name, answered];
  });
  return { marketplace: Object.fromEntries(noting) as MarketplaceClient, calls };
}
