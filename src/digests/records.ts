/** When a channel gets a digest, and what each one contained. Digests are stored with their posts. */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ChannelId, UserId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import { collection, type ReadTransaction, type Transaction } from '../storage/store.ts';
import { DigestFacts } from './facts.ts';
import { splitDigestThread } from './split-digest.ts';

const instant = z.number();

/** When a channel gets its digest. */
export const DigestPlan = z.object({
  channel: ChannelId,
  /** Minute of the local day, 0 to 1439. */
  minute: z.number().int().min(0).max(1439),
  days: z.enum(['weekdays', 'daily']),
  /** IANA name. */
  timezone: z.string(),
  by: UserId,
  setAt: instant,
  /** The local day (`2026-11-20`) of the newest scheduled digest, and the end of the time it covered. */
  lastDay: z.string().optional(),
  coveredTo: instant.optional(),
});
export type DigestPlan = z.infer<typeof DigestPlan>;

export const digestPlans = collection({
  name: 'digest-plans',
  schema: DigestPlan,
  key: (it) => [it.channel],
});

/** A posted or pending digest. */
export const DigestRecord = z.object({ id: PostId, facts: DigestFacts, at: instant });
export type DigestRecord = z.infer<typeof DigestRecord>;

export const digestRecords = collection({
  name: 'digests',
  schema: DigestRecord,
  key: (it) => [it.id],
  indexes: {
    /** [channel, when] */
    byChannel: (it) => [it.facts.channel, it.at],
    byAge: (it) => [it.at],
  },
  keepFor: { ms: 90 * DAY },
});

/** Does nothing if the id exists. */
export async function storeDigest(
  tx: Transaction,
  { id, at }: { readonly id: PostId; readonly at: Instant },
  facts: DigestFacts,
): Promise<void> {
  const { channel } = facts;
  const isNew = await enqueuePost(tx, { id, channel, content: { kind: 'digest' }, order: at, at });
  if (!isNew) return;
  let order = at;
  for (const part of splitDigestThread(facts).keys()) {
    const content = { kind: 'digest-more', digest: id, part } as const;
    const more = `${id}:more:${part}` as PostId;
    order += 1;
    await enqueuePost(tx, { id: more, channel, content, under: id, order, at });
  }
  await tx.put(digestRecords, { id, facts, at });
}

export function readDigest(tx: ReadTransaction, id: PostId) {
  return tx.get(digestRecords, [id]);
}
