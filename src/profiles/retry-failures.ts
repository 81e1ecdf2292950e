/** At the start of a workspace: failures that a new token or a new account may have mended are due again. */
import type { Clock, Instant } from '../clock.ts';
import { feedStates, filterStates } from '../feed/records.ts';
import type { TeamId } from '../ids.ts';
import { getFailureRule, type SourceFailure } from '../sources/failure-rules.ts';
import { type Collection, type Store, scanCollection, type Transaction } from '../storage/store.ts';
import { profileSyncs } from './records.ts';

/** Filters, invitations and proposals alike. Transient failures keep their pauses. */
export async function retryLastingFailures({
  store,
  team,
  clock,
}: {
  readonly store: Store;
  readonly team: TeamId;
  readonly clock: Clock;
}): Promise<void> {
  const at = clock.now();
  await store.transact(async (tx) => {
    await makeDue(tx, feedStates, team, at);
    await makeDue(tx, filterStates, team, at);
    await makeDue(tx, profileSyncs, team, at);
  });
}

async function makeDue<T extends { readonly trouble?: SourceFailure | undefined }>(
  tx: Transaction,
  collection: Collection<T>,
  team: TeamId,
  at: Instant,
): Promise<void> {
  const found: { readonly key: Parameters<typeof tx.get>[1]; readonly value: T }[] = [];
  for await (const entry of scanCollection(tx, collection, { prefix: [team] })) found.push(entry);
  for (const { key, value } of found) {
    const { trouble } = value;
    if (trouble && !getFailureRule(trouble.code).transient && trouble.retryAt > at)
      await tx.put(collection, key, { ...value, trouble: { ...trouble, retryAt: at } });
  }
}
