/** The claims on a project's cards: of filters in any channel, and of invitations. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { listCardClaims } from '../feed/cards.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import { listInvitationClaims } from '../invitations/invitations.ts';
import type { PlacedClaim, ProjectClaims } from '../sources/claims.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { refreshProjectCards } from './post-bid-news.ts';

/** @param keys all names of one project */
export async function listClaimsUnderNames(
  tx: ReadTransaction,
  team: TeamId,
  keys: readonly ProjectKey[],
): Promise<readonly PlacedClaim[]> {
  const found: PlacedClaim[] = [];
  for (const key of keys)
    found.push(...(await listCardClaims(tx, team, key)), ...(await listInvitationClaims(tx, team, key)));
  return found;
}

export function createProjectClaims(team: TeamId): ProjectClaims {
  return {
    list: async (tx, project) =>
      listClaimsUnderNames(tx, team, (await findProjectAliases(tx, team, { project })).keys),
    markChanged: (tx, project) => refreshProjectCards(tx, team, { project }),
  };
}
