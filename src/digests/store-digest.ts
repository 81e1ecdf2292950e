/** Stores digests and weekly notes with their posts, inside the caller's transaction, and reads them. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { DigestFacts, FilterTuningFacts } from './facts.ts';
import {
  DIGEST_RETENTION_MS,
  type DigestRecord,
  digestRecords,
  type TuningNote,
  tuningNotes,
} from './records.ts';
import { isDigestEmpty, splitDigestThread } from './split-digest.ts';

/** More than one per new record, so that old records run out. */
const CLEARED_AT_ONCE = 3;

interface Place {
  readonly team: TeamId;
  readonly id: PostId;
  readonly at: Instant;
}

function oldRecords(team: TeamId, at: Instant) {
  const prefix = [team] as const;
  return { index: 'byAge', prefix, at, keptMs: DIGEST_RETENTION_MS, limit: CLEARED_AT_ONCE };
}

function pictures(facts: DigestFacts, at: Instant): Pick<DigestRecord, 'pictures'> {
  if (isDigestEmpty(facts)) return {};
  return { pictures: { state: 'waiting', files: [], failures: 0, dueAt: at } };
}

/** Does nothing if the id exists. @returns whether it is new, and the order of the last post */
export async function storeDigest(
  tx: Transaction,
  { team, id, at }: Place,
  facts: DigestFacts,
): Promise<{ readonly isNew: boolean; readonly order: Instant }> {
  const { channel } = facts;
  const isNew = await enqueuePost(tx, { team, id, channel, content: { kind: 'digest' }, order: at, at });
  if (!isNew) return { isNew, order: at };
  let order = at;
  for (const part of splitDigestThread(facts).keys()) {
    const content = { kind: 'digest-more', digest: id, part } as const;
    const more = `${id}:more:${part}` as PostId;
    order += 1;
    await enqueuePost(tx, { team, id: more, channel, content, under: id, order, at });
  }
  await tx.put(digestRecords, [team, id], { team, id, facts, at, ...pictures(facts, at) });
  await deleteOldRecords(tx, digestRecords, oldRecords(team, at));
  return { isNew, order };
}

/** @param order of its post: after the posts of the digest that it comes with */
export async function storeTuningNote(
  tx: Transaction,
  { team, id, at, order }: Place & { readonly order: Instant },
  facts: FilterTuningFacts,
): Promise<void> {
  const { channel } = facts;
  const isNew = await enqueuePost(tx, { team, id, channel, content: { kind: 'tuning-note' }, order, at });
  if (!isNew) return;
  await tx.put(tuningNotes, [team, id], { team, id, facts, at });
  await deleteOldRecords(tx, tuningNotes, oldRecords(team, at));
}

export async function readDigest(
  tx: ReadTransaction,
  team: TeamId,
  id: PostId,
): Promise<DigestRecord | undefined> {
  return tx.get(digestRecords, [team, id]);
}

/** The weekly note on a channel's filters. */
export async function readTuningNote(
  tx: ReadTransaction,
  team: TeamId,
  id: PostId,
): Promise<TuningNote | undefined> {
  return tx.get(tuningNotes, [team, id]);
}
