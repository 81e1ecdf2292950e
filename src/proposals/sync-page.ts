/** Requests a page of a profile's proposals and handles its answer. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { namesInProposal } from '../directory/directory.ts';
import type { ProfileRecordsQuery, RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { notifyProfileFailure, recordWorkingSync } from '../profiles/notify-failure.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../profiles/records.ts';
import type { Transaction } from '../storage/store.ts';
import {
  detectAscendingOrder,
  inferServerPageSize,
  type ProposalPageFacts,
  toProposalSortKey,
} from './copy-plan.ts';
import type { MirrorContext } from './mirror.ts';
import type { MirrorWriter } from './mirror-writer.ts';
import { escalateSyncFailure, MAX_PROPOSALS_PER_PAGE, type SyncStep } from './sync-plan.ts';
import { applyPageRead } from './sync-record.ts';

type ReadStep = Extract<SyncStep, { kind: 'read' }>;

function queryOf({ profile }: ProfileSync, page: number): ProfileRecordsQuery {
  return { profile, page, order: 'DESC', limit: MAX_PROPOSALS_PER_PAGE };
}

/** Call it before the page is stored: it reports which proposals were already known. */
function factsOf(
  answer: RecordPage<Proposal>,
  sync: ProfileSync,
  { page }: ReadStep,
  { memory }: MirrorWriter,
): ProposalPageFacts {
  const { items, unreadable, paging } = answer;
  const { profile, copy } = sync;
  const { total, pages, limit } = paging;
  const slots = items.length + unreadable;
  const told = omitUndefined({ total, pages, limit });
  const places = items.map(toProposalSortKey);
  return {
    page,
    itemCount: slots,
    sortKeys: places,
    knownSortKeys: items.flatMap(({ id }) => {
      const facts = memory.isInProfile(profile, id) ? memory.getFacts(id) : undefined;
      return facts ? [toProposalSortKey(facts)] : [];
    }),
    size: inferServerPageSize(MAX_PROPOSALS_PER_PAGE, { ...told, slots, page }, copy?.size),
    ascending: detectAscendingOrder(places) ?? copy?.ascending ?? false,
    ...told,
  };
}

/** The present sync record: others write to it too. */
async function current(tx: Transaction, sync: ProfileSync): Promise<ProfileSync> {
  return (await tx.get(profileSyncs, profileSyncKey(sync))) ?? sync;
}

/**
 * Reads and stores a page, and records how far the profile was read.
 * @throws MarketplaceError, StorageError, an error of the change handler, or the signal's reason. The page
 * counts as unread then.
 */
export async function syncProposalPage(
  context: MirrorContext,
  keeper: MirrorWriter,
  sync: ProfileSync,
  step: ReadStep,
  signal: AbortSignal,
): Promise<void> {
  const { store, marketplace, clock, directory } = context;
  const { profile } = sync;
  const askedAt = clock.now();
  const answer = await marketplace.fetchProposals(queryOf(sync, step.page), { lane: 'sync', signal });
  signal.throwIfAborted();
  const facts = factsOf(answer, sync, step, keeper);
  const heldBefore = keeper.memory.countInProfile(profile);
  await keeper.storeBatch({ proposals: answer.items, profile, askedAt, now: clock.now() });
  const held = keeper.memory.countInProfile(profile);
  const { unreadable } = answer;
  const at = clock.now();
  const read = { why: step.why, facts, found: held - heldBefore, held, unreadable, at };
  await store.transact(async (tx) => {
    await directory?.recordNames(tx, answer.items.flatMap(namesInProposal), at);
    await recordWorkingSync(tx, applyPageRead(await current(tx, sync), read), at);
  });
}

/** Records the failure to read or handle a page, and posts a notice where one is due. */
export async function recordSyncFailure(
  { store, clock, random }: MirrorContext,
  sync: ProfileSync,
  thrown: unknown,
): Promise<void> {
  const at = clock.now();
  const error = thrown instanceof MarketplaceError ? thrown : undefined;
  const { retryAfterMs } = error?.details ?? {};
  // An internal error counts like an unreadable answer, so one profile doesn't block the others.
  const failure = { code: error?.code ?? 'unreadable', ...omitUndefined({ retryAfterMs }) };
  await store.transact(async (tx) => {
    const now = await current(tx, sync);
    await notifyProfileFailure(
      tx,
      { ...now, trouble: escalateSyncFailure(now.trouble, failure, at, random) },
      at,
    );
  });
}
