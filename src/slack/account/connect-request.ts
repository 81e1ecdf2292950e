/** Asks the person who installed Gigdesk to connect the marketplace account, once. */
import type { Instant } from '../../clock.ts';
import type { TeamId, UserId } from '../../ids.ts';
import { enqueuePost, listPostIdsByPrefix, markPostChanged } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import type { Transaction } from '../../storage/store.ts';
import { type Allowed, updateAccountState } from './account-decisions.ts';

const REQUEST = 'connect-account:';
const MOST_REQUESTS = 20;

interface OpenedWorkspace {
  readonly team: TeamId;
  readonly isConnected: boolean;
  /** Undefined: nobody is asked. */
  readonly installedBy: UserId | undefined;
  readonly allowed: Allowed | undefined;
  readonly at: Instant;
}

/**
 * For each opening of a workspace. The first one without an account sends the request; later, it says whether
 * an account is connected.
 * @returns whether that has changed since the last opening, so that other messages about it are out of date
 */
export async function noteAccountState(tx: Transaction, opened: OpenedWorkspace): Promise<boolean> {
  const { team, isConnected, installedBy, at } = opened;
  const before = await updateAccountState(tx, opened);
  if (before?.isConnected === isConnected) return false;
  for (const id of await listPostIdsByPrefix(tx, team, REQUEST, MOST_REQUESTS))
    await markPostChanged(tx, team, id);
  if (!before && !isConnected && installedBy)
    await enqueuePost(tx, {
      team,
      id: PostId.parse(REQUEST + installedBy),
      channel: installedBy,
      content: { kind: 'connect-account' },
      order: at,
      at,
    });
  return before !== undefined;
}
