import { showMoreInvitations } from '../../invitations/floods.ts';
import { actionIds } from '../blocks/ids.ts';
import { MORE_AT_ONCE } from '../messages/flood.ts';
import type { ActionRoute } from '../routes.ts';
import { CARD_GONE, findPost } from './find-card.ts';

/** The cards come on their own, and the summary follows; nothing else is said. */
export const showMore: ActionRoute = {
  id: actionIds.showMore,
  needs: 'viewer',
  async run(call) {
    const ts = call.message?.ts;
    const post = ts === undefined ? undefined : await findPost(call, ts);
    if (post?.content.kind !== 'flood') return call.answer(CARD_GONE);
    if (post.content.of === 'invitation') await showMoreInvitations(call.services, post.id, MORE_AT_ONCE);
    else await call.services.feed.showMore(post.id, MORE_AT_ONCE);
  },
};
