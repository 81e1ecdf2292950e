/**
 * What people decide about a bid or an approval that waits: cancel, approve, reject; and how they reject a
 * request for approval. Each decision is one transaction, so it excludes the others and the sending.
 */
import type { Instant } from '../clock.ts';
import { giveApproval } from '../spending/hold.ts';
import type { Transaction } from '../storage/store.ts';
import {
  compareApprovalFacts,
  findApprovalTitle,
  isReviewEnded,
  isReviewOpen,
  listApprovalFacts,
} from './approval-request.ts';
import { endReview, findRequest } from './approval-requests.ts';
import { listShownFacts, recordRejectionAudit, writeAuditEntry } from './audit-bid.ts';
import type {
  ApprovalDecision,
  ApprovalOrder,
  HeldOrder,
  HeldOrderDecision,
  HeldOrderResult,
} from './bidding.ts';
import { endHeldApproval, endHeldOrder, hashOrder, readHeldOrder, storeHold } from './held-order.ts';
import { readApprovalHours } from './plan-order.ts';

/** The order as the person saw it; `taken` if it doesn't wait any more. */
async function findHeldOrder(
  tx: Transaction,
  { ref, attempt, authorizedChannel }: HeldOrderDecision,
): Promise<HeldOrder | { readonly taken: HeldOrderResult }> {
  const order = await readHeldOrder(tx, ref);
  if (order?.channel !== authorizedChannel) return { taken: { kind: 'moved' } };
  return order.isHeld && order.attempt === attempt ? order : { taken: { kind: 'taken', order } };
}

async function recordDecision(
  tx: Transaction,
  kind: 'bid-canceled' | 'second-approval' | 'second-rejected',
  { channel, attempt, subject, of }: HeldOrder,
  { by }: HeldOrderDecision,
  at: Instant,
): Promise<void> {
  const title = findApprovalTitle(subject) || undefined;
  const act = { kind, attempt, title, job: 'job' in of ? of.job.id : undefined };
  const shown = listShownFacts(listApprovalFacts(subject));
  await writeAuditEntry(tx, { at, by, channel }, act, { shown });
}

/** Cancels what waits, or refuses its second approval: it is never sent. */
export async function stopHeldOrder(
  tx: Transaction,
  end: 'canceled' | 'rejected',
  decision: HeldOrderDecision,
  at: Instant,
): Promise<HeldOrderResult> {
  const order = await findHeldOrder(tx, decision);
  if ('taken' in order) return order.taken;
  if (end === 'rejected' && !order.hold.second) return { kind: 'taken', order };
  await recordDecision(tx, end === 'canceled' ? 'bid-canceled' : 'second-rejected', order, decision, at);
  return { kind: 'done', order: await endHeldOrder(tx, order, end, at, decision.by) };
}

/** Gives one of the second approvals, of exactly what the person was shown. */
export async function approveHeldOrder(
  tx: Transaction,
  decision: HeldOrderDecision & { readonly shown: string },
  at: Instant,
): Promise<HeldOrderResult> {
  const order = await findHeldOrder(tx, decision);
  if ('taken' in order) return order.taken;
  const { by, shown } = decision;
  const hours = await readApprovalHours(tx, order);
  const facts = listApprovalFacts(order.subject);
  const { sender, hold, sendAt } = order;
  const given = giveApproval(hold, { by, sender, at, shown, now: hashOrder(order), hours, sendAt });
  switch (given.kind) {
    case 'taken':
    case 'repeated':
    case 'own':
      return { kind: given.kind, order };
    case 'over':
      return { kind: 'taken', order: await endHeldOrder(tx, order, given.as, at) };
    case 'changed': {
      const changes = compareApprovalFacts(order.shown, facts);
      const asked = given.hold ? await storeHold(tx, order, given.hold, facts) : order;
      return { kind: 'changed', changes, order: asked };
    }
    case 'counted':
      await recordDecision(tx, 'second-approval', order, decision, at);
      return { kind: 'done', order: await storeHold(tx, order, given.hold, facts) };
  }
}

/** Rejects an open request, with its audit entry and news. */
export async function rejectRequest(
  tx: Transaction,
  order: ApprovalOrder & { readonly reason: string },
  at: Instant,
): Promise<ApprovalDecision> {
  const found = await findRequest(tx, order, at);
  if (found === 'moved') return { kind: 'moved' };
  const { isCurrent } = found;
  const isHeld = found.job.approval?.state === 'held' && !isReviewEnded(found.job);
  if (!isCurrent || !(isHeld || isReviewOpen(found.job))) return { kind: 'taken', job: found.job };
  const { by, reason } = order;
  const job = isHeld ? await endHeldApproval(tx, found.job, 'canceled', at, by) : found.job;
  await recordRejectionAudit(tx, { at, by, channel: job.channel }, job, reason);
  return { kind: 'done', job: await endReview(tx, job, { kind: 'rejected', by, at, reason }) };
}
