/** Which replica should own a workspace. Pure. */
import { createHash } from 'node:crypto';
import type { TeamId } from '../ids.ts';

/**
 * All replicas choose the same one. When a replica joins or leaves, only the workspaces that it gets or had
 * move (rendezvous hashing).
 */
export function chooseOwner<R extends { readonly id: string }>(
  team: TeamId,
  replicas: readonly R[],
): R | undefined {
  const ranked = replicas.map((replica) => ({ replica, rank: rankOf(team, replica.id) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.replica;
}

function rankOf(team: TeamId, id: string): string {
  return createHash('sha256').update(`${team} ${id}`).digest('hex');
}
