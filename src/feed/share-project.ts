/** Posts a project's card to a channel because a person wants it there. */
import type { ChannelId, UserId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { cardPostId, enqueuePost } from '../outbox/outbox.ts';
import type { FeedContext } from './feed.ts';
import { findProjectCard, findSeenProject } from './find-project.ts';
import { type Card, cardKey, cards, seenProjectKey, seenProjects } from './records.ts';

/**
 * Rules, mutes and quiet hours don't apply. The card exists once per channel, whatever name the project has.
 * @returns false if the channel has its card already
 * @throws StorageError
 */
export function shareProject(
  { team, store, clock }: Pick<FeedContext, 'team' | 'store' | 'clock'>,
  channel: ChannelId,
  project: ListedProject,
  by: UserId,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const names = { project: project.key };
    const seen = await findSeenProject(tx, team, names);
    const key = seen?.project.key ?? project.key;
    const before = await findProjectCard(tx, team, channel, names);
    if (before?.state === 'posted') return false;
    if (!seen)
      await tx.put(seenProjects, seenProjectKey(team, key), { team, project, filters: [], firstSeenAt: at });
    const { because: _because, ...known } = before ?? {
      team,
      channel,
      project: key,
      filters: [],
      foundAt: at,
    };
    const card: Card = { ...known, state: 'posted', sharedBy: by };
    await tx.put(cards, cardKey(team, channel, card.project), card);
    const content = { kind: 'card', project: card.project } as const;
    await enqueuePost(tx, { team, id: cardPostId(channel, card.project), channel, content, order: at, at });
    return true;
  });
}
