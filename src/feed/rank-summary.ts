/** The cards that a summary still lists, best fit first. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { listNewestBundledPosts } from '../outbox/outbox.ts';
import type { Post, PostId } from '../outbox/posts.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ProjectFit } from './fit-reasons.ts';
import { withFilterVerdict } from './merge-project.ts';
import { type Card, cardKey, cards, seenProjectKey, seenProjects } from './records.ts';

/** A project with its fit, which shared cards don't have. */
export interface FittedProject {
  readonly project: ListedProject;
  readonly fit?: ProjectFit;
  /** The people and groups that the channel's rules mention. */
  readonly mention?: Card['mention'];
}

/** A weekend's quiet hours can collect thousands; the newest of them are compared. */
const MOST_COMPARED = 500;
/** Of a card without a fit: nothing speaks for it or against it. */
const MIDDLE = 50;

interface Ranked {
  readonly post: Post;
  readonly project: ProjectKey;
  readonly card: Card | undefined;
}

async function listRanked(tx: ReadTransaction, team: TeamId, summary: PostId): Promise<readonly Ranked[]> {
  const bundled = await listNewestBundledPosts(tx, team, summary, MOST_COMPARED);
  const listed = bundled.flatMap((post) =>
    post.content.kind === 'card' ? [{ post, project: post.content.project }] : [],
  );
  const stored = await tx.getMany(
    cards,
    // Cards are never posted to direct messages.
    listed.map(({ post, project }) => cardKey(team, post.channel as Card['channel'], project)),
  );
  const points = (card: Card | undefined) => card?.fit?.points ?? MIDDLE;
  // The sort is stable: the newest stay first among equal fits.
  return listed
    .map((each, place) => ({ ...each, card: stored[place] }))
    .sort((a, b) => points(b.card) - points(a.card));
}

/** The best of a summary's waiting posts. */
export async function listBestBundledPosts(
  tx: ReadTransaction,
  team: TeamId,
  summary: PostId,
  limit: number,
): Promise<readonly Post[]> {
  return (await listRanked(tx, team, summary)).slice(0, limit).map(({ post }) => post);
}

/** The best projects that a summary still lists, to be shown in it. */
export async function listBestBundledProjects(
  tx: ReadTransaction,
  team: TeamId,
  summary: PostId,
  limit: number,
): Promise<readonly FittedProject[]> {
  const best: FittedProject[] = [];
  for (const { project, card } of (await listRanked(tx, team, summary)).slice(0, limit)) {
    const seen = await tx.get(seenProjects, seenProjectKey(team, project));
    if (!seen) continue;
    const shown = withFilterVerdict(seen, card?.filters ?? []);
    best.push({ project: shown, ...omitUndefined({ fit: card?.fit, mention: card?.mention }) });
  }
  return best;
}
