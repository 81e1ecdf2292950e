import { postMoreInvitationsFromSummary } from '../../invitations/invitation-posts.ts';
import { CARD_GONE, findPressedPost } from '../core/find-pressed-card.ts';
import type { ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { CARDS_PER_SHOW_MORE } from './card-summary.ts';

/** Posts the cards and updates the summary; sends no reply. */
export const showMoreCardsAction: ActionRoute = {
  id: actionIds.showMore,
  needs: 'viewer',
  async run(call) {
    const ts = call.message?.ts;
    const post = ts === undefined ? undefined : await findPressedPost(call, ts);
    if (post?.content.kind !== 'flood') return call.answer(CARD_GONE);
    if (post.content.of === 'invitation')
      await postMoreInvitationsFromSummary(call.services, post.id, CARDS_PER_SHOW_MORE);
    else await call.services.feed.postMoreCardsFromSummary(post.id, CARDS_PER_SHOW_MORE);
  },
};
