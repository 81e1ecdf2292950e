/** One request for a page of a profile's proposals, and what is made of its answer. */
import { namesInProposal } from '../directory/names-in.ts';
import type { Page, ProfileQuery } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../profiles/records.ts';
import { tellProfileRecovered, tellProfileTrouble } from '../profiles/tell-trouble.ts';
import type { Transaction } from '../storage/store.ts';
import { type PageFacts, pageSize, seemsAscending } from './copy-plan.ts';
import type { MirrorContext } from './mirror-context.ts';
import type { MirrorKeeper } from './mirror-keeper.ts';
import { placeOf } from './mirror-places.ts';
import { LARGEST_PAGE, type Step } from './sync-plan.ts';
import { recordRead } from './sync-record.ts';
import { worsen } from './sync-trouble.ts';

type ReadStep = Extract<Step, { kind: 'read' }>;

function queryOf({ profile }: ProfileSync, page: number): ProfileQuery {
  return { profile, page, order: 'DESC', limit: LARGEST_PAGE };
}

/** To be called before the page is kept: it tells what of it was known. */
function factsOf(
  answer: Page<Proposal>,
  sync: ProfileSync,
  { page }: ReadStep,
  { memory }: MirrorKeeper,
): PageFacts {
  const { items, unreadable, paging } = answer;
  const { profile, copy } = sync;
  const { total, pages, limit } = paging;
  const slots = items.length + unreadable;
  const told = {
    ...(total === undefined ? {} : { total }),
    ...(pages === undefined ? {} : { pages }),
    ...(limit === undefined ? {} : { limit }),
  };
  const places = items.map(placeOf);
  return {
    page,
    slots,
    places,
    known: items.flatMap(({ id }) => {
      const facts = memory.isHeldBy(profile, id) ? memory.factsOf(id) : undefined;
      return facts ? [placeOf(facts)] : [];
    }),
    size: pageSize(LARGEST_PAGE, { ...told, slots, page }, copy?.size),
    ascending: seemsAscending(places) ?? copy?.ascending ?? false,
    ...told,
  };
}

/** The reading's record as it is now: others write to it, too. */
async function current(tx: Transaction, sync: ProfileSync): Promise<ProfileSync> {
  return (await tx.get(profileSyncs, profileSyncKey(sync))) ?? sync;
}

/**
 * Reads a page, keeps it, and records how far the profile was read.
 * @throws MarketplaceError, StorageError, what the hand-over throws, or the signal's reason; then the page counts as not read.
 */
export async function readPage(
  context: MirrorContext,
  keeper: MirrorKeeper,
  sync: ProfileSync,
  step: ReadStep,
  signal: AbortSignal,
): Promise<void> {
  const { store, marketplace, clock, directory } = context;
  const { profile } = sync;
  const askedAt = clock.now();
  const answer = await marketplace.proposals(queryOf(sync, step.page), { lane: 'sync', signal });
  signal.throwIfAborted();
  const facts = factsOf(answer, sync, step, keeper);
  const heldBefore = keeper.memory.heldBy(profile);
  await keeper.keep({ proposals: answer.items, profile, askedAt, now: clock.now() });
  const held = keeper.memory.heldBy(profile);
  const { unreadable } = answer;
  const at = clock.now();
  const read = { why: step.why, facts, found: held - heldBefore, held, unreadable, at };
  await store.transact(async (tx) => {
    await directory?.learn(tx, answer.items.flatMap(namesInProposal), at);
    const next = recordRead(await current(tx, sync), read);
    if (next.trouble) await tellProfileRecovered(tx, next, at);
    else await tx.put(profileSyncs, profileSyncKey(next), next);
  });
}

/** A page could not be read, or not be handled: puts the trouble on record and tells of it where that is due. */
export async function recordFailure(
  { store, clock, random }: MirrorContext,
  sync: ProfileSync,
  thrown: unknown,
): Promise<void> {
  const at = clock.now();
  const error = thrown instanceof MarketplaceError ? thrown : undefined;
  const { retryAfterMs } = error?.details ?? {};
  // A fault of our own counts like an answer that can't be read, so that one profile holds up no other.
  const failure = {
    code: error?.code ?? 'unreadable',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  await store.transact(async (tx) => {
    const now = await current(tx, sync);
    await tellProfileTrouble(tx, { ...now, trouble: worsen(now.trouble, failure, at, random) }, at);
  });
}
