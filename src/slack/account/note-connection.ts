/**
 * Stores at the start whether a marketplace account is connected, because messages in Slack say so, and who
 * installed the app.
 */
import type { Clock } from '../../clock.ts';
import type { TeamId, UserId } from '../../ids.ts';
import type { AccountConnection } from '../../installations/account-connection.ts';
import type { Store } from '../../storage/store.ts';
import { markOpenWelcomesChanged } from '../setup/setup.ts';
import type { Allowed } from './account-decisions.ts';
import { noteAccountState } from './connect-request.ts';

interface Parts {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
}

/** @param connection missing where the marketplace token comes from the environment */
export async function noteConnection(
  { team, store, clock }: Parts,
  connection: AccountConnection | undefined,
  { installedBy, allowed }: { readonly installedBy?: UserId; readonly allowed?: Allowed },
): Promise<void> {
  if (!connection) return;
  const { isConnected } = connection;
  await store.transact(async (tx) => {
    if (await noteAccountState(tx, { team, isConnected, installedBy, allowed, at: clock.now() }))
      await markOpenWelcomesChanged(tx, team);
  });
}
