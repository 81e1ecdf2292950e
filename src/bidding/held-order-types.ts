/** What a bid or an approval that waits before it is sent consists of. Pure. */
import type { Instant } from '../clock.ts';
import type { BidId, JobId } from '../ids.ts';
import type { PostId } from '../outbox/posts.ts';
import type { SpendingHold } from '../spending/hold.ts';
import type { ApprovalFact } from './approval-record.ts';
import type { Order } from './plan-order.ts';
import type { Bid, Job } from './records.ts';

/** The bid, or the job whose approval waits. */
export type HeldOrderRef =
  | { readonly bid: BidId; readonly job?: undefined }
  | { readonly job: JobId; readonly bid?: undefined };

/** A bid or an approval that waits, or waited. */
export type HeldOrder = Order & {
  readonly home: PostId;
  readonly attempt: number;
  /** The time that a new bid names for itself: later, the marketplace would refuse it. */
  readonly sendAt?: Instant | undefined;
  readonly hold: SpendingHold;
  /** What it showed. */
  readonly shown: readonly ApprovalFact[];
  /** Nothing was sent yet. */
  readonly isHeld: boolean;
  readonly of: { readonly bid: Bid } | { readonly job: Job };
};
