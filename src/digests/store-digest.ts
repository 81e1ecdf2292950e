/** Putting a digest and a weekly note on record, each with its posts, inside the caller's transaction. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import { clearOlder } from '../storage/clear-older.ts';
import type { Transaction } from '../storage/store.ts';
import type { DigestFacts, TuningFacts } from './facts.ts';
import { nothingHappened } from './nothing-happened.ts';
import { type DigestRecord, digestRecords, KEPT_MS, tuningNotes } from './records.ts';
import { splitDigest } from './split-digest.ts';

/** More than one for each new record, so that the old run out. */
const CLEARED_AT_ONCE = 3;

interface Place {
  readonly team: TeamId;
  readonly id: PostId;
  readonly at: Instant;
}

function pictures(facts: DigestFacts, at: Instant): Pick<DigestRecord, 'pictures'> {
  if (nothingHappened(facts)) return {};
  return { pictures: { state: 'waiting', files: [], failures: 0, dueAt: at } };
}

/** Does nothing when there is one with that id. @returns whether it is new, and the order of the last post. */
export async function storeDigest(
  tx: Transaction,
  { team, id, at }: Place,
  facts: DigestFacts,
): Promise<{ readonly isNew: boolean; readonly order: Instant }> {
  const { channel } = facts;
  const isNew = await enqueuePost(tx, { team, id, channel, content: { kind: 'digest' }, order: at, at });
  if (!isNew) return { isNew, order: at };
  let order = at;
  for (const part of splitDigest(facts).keys()) {
    const content = { kind: 'digest-more', digest: id, part } as const;
    const more = `${id}:more:${part}` as PostId;
    order += 1;
    await enqueuePost(tx, { team, id: more, channel, content, under: id, order, at });
  }
  await tx.put(digestRecords, [team, id], { team, id, facts, at, ...pictures(facts, at) });
  const old = { index: 'byAge', prefix: [team] as const, at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE };
  await clearOlder(tx, digestRecords, old);
  return { isNew, order };
}

/** @param order of its post: behind those of the digest that it comes with */
export async function storeNote(
  tx: Transaction,
  { team, id, at, order }: Place & { readonly order: Instant },
  facts: TuningFacts,
): Promise<void> {
  const { channel } = facts;
  const isNew = await enqueuePost(tx, { team, id, channel, content: { kind: 'tuning-note' }, order, at });
  if (!isNew) return;
  await tx.put(tuningNotes, [team, id], { team, id, facts, at });
  const old = { index: 'byAge', prefix: [team] as const, at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE };
  await clearOlder(tx, tuningNotes, old);
}
