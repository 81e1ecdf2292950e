/** Deletes what is older than its collection keeps it, every hour: docs/privacy.md has the periods. */
import { HOUR } from '../clock.ts';
import { deleteOldDecision } from '../decisions/decisions.ts';
import { decisions } from '../decisions/records.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import { deleteOldPost, deleteOldProject } from '../feed/delete-old.ts';
import { seenProjects } from '../feed/records.ts';
import { deleteOldInvitation, deleteOldInvitationCard } from '../invitations/invitation-service.ts';
import { invitationCards, invitationRecords } from '../invitations/records.ts';
import { posts } from '../outbox/posts.ts';
import { type DeleteOld, deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, Store } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { allCollections } from './collections.ts';

type Context = Pick<Workspace, 'store' | 'clock' | 'log' | 'clockGuard'>;

type DeleteAll = (store: Store, at: number, signal: AbortSignal) => Promise<void>;

function deleteAllOld<T>(collection: Collection<T>, deleteOld?: DeleteOld<T>): DeleteAll {
  return (store, at, signal) => deleteOldRecords(store, collection, at, signal, deleteOld);
}

/** More than age decides about these: what needs another record goes before it, or with it. */
const withOthers = new Map<string, DeleteAll>([
  [seenProjects.name, deleteAllOld(seenProjects, deleteOldProject)],
  [invitationCards.name, deleteAllOld(invitationCards, deleteOldInvitationCard)],
  [invitationRecords.name, deleteAllOld(invitationRecords, deleteOldInvitation)],
  [posts.name, deleteAllOld(posts, deleteOldPost)],
  [decisions.name, deleteAllOld(decisions, deleteOldDecision)],
]);

/** One collection that can't be cleaned keeps the others from nothing. Runs until `signal` aborts. */
export async function deleteOldDataHourly(context: Context, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = context;
  const step = async () => {
    const at = clock.now();
    const simple = allCollections.filter(({ name, keepFor }) => keepFor && !withOthers.has(name));
    const all = [
      ...withOthers,
      ...simple.map((it) => [it.name, deleteAllOld(it as Collection<unknown>)] as const),
    ];
    for (const [collection, deleteAll] of all) {
      if (signal.aborted) return;
      try {
        await deleteAll(store, at, signal);
      } catch (thrown) {
        log.error("Couldn't delete old records", { collection, error: asError(thrown) });
      }
    }
    await clock.sleep(HOUR, signal);
  };
  await runLoop(context, { name: 'Deleting old records', step, retryAfterMs: HOUR }, signal);
}
