/** What the team did with a client before, as far as the reader may see it. */
import type { PastWithClient } from '../../bidding/client-past.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';

/** Without the bids of channels that are closed to the reader; their own bids stay. */
export async function keepVisiblePast(
  context: RequestContext,
  past: readonly PastWithClient[],
): Promise<readonly PastWithClient[]> {
  const all = past.flatMap(({ bids }) => bids.map(({ bid }) => bid.channel));
  const { sees } = await resolveVisibleChannels(context, all);
  return past
    .map((each) => ({
      ...each,
      bids: each.bids.filter(({ bid }) => bid.by === context.person.user || sees(bid.channel)),
    }))
    .filter(({ card, bids }) => card !== undefined || bids.length > 0);
}
