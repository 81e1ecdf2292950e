/** Which replica should own a workspace. Pure. */
import { createHash } from 'node:crypto';

/**
 * All replicas choose the same one. When a replica joins or leaves, only the workspaces that it gets or had
 * move (rendezvous hashing).
 * @param group of workspaces that must have the same owner, or the ID of a single team
 */
export function chooseOwner<R extends { readonly id: string }>(
  group: string,
  replicas: readonly R[],
): R | undefined {
  const ranked = replicas.map((replica) => ({ replica, rank: rankOf(group, replica.id) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.replica;
}

function rankOf(group: string, id: string): string {
  return createHash('sha256').update(`${group} ${id}`).digest('hex');
}
