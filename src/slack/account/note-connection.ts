/**
 * Stores at the start whether a marketplace account is connected, because messages in Slack say so, and who
 * installed the app. The first start without an account asks that person to connect one, once.
 */
import type { UserId } from '../../ids.ts';
import type { AccountConnection } from '../../installations/account-connection.ts';
import { enqueuePost, listPostIdsByPrefix, markPostChanged } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import type { Services } from '../core/routes.ts';
import { markOpenWelcomesChanged } from '../setup/setup.ts';
import { type Allowed, updateAccountState } from './account-decisions.ts';

const REQUEST = 'connect-account:';
const MOST_REQUESTS = 20;

/** @param connection missing where the marketplace token comes from the environment */
export async function noteConnection(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  connection: AccountConnection | undefined,
  { installedBy, allowed }: { readonly installedBy?: UserId; readonly allowed?: Allowed },
): Promise<void> {
  if (!connection) return;
  const { isConnected } = connection;
  await store.transact(async (tx) => {
    const at = clock.now();
    const before = await updateAccountState(tx, { isConnected, allowed, at });
    if (before?.isConnected === isConnected) return;
    for (const id of await listPostIdsByPrefix(tx, REQUEST, MOST_REQUESTS)) await markPostChanged(tx, id);
    // Since the last start, other messages about it are out of date.
    if (before) return markOpenWelcomesChanged(tx);
    if (isConnected || !installedBy) return;
    const id = PostId.parse(REQUEST + installedBy);
    const content = { kind: 'connect-account' } as const;
    await enqueuePost(tx, { id, channel: installedBy, content, order: at, at });
  });
}
