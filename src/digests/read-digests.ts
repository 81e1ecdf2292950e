/** Reads what a digest's post shows. */
import type { TeamId } from '../ids.ts';
import type { PostId } from '../outbox/posts.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { type DigestRecord, digestRecords, type TuningNote, tuningNotes } from './records.ts';

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
