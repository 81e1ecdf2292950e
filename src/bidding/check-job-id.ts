/** Whether the job ID of a bid is its project's: a link with only a `pid`, or a uid, doesn't say. */
import { findProjectAliases, removeJobIdTilde } from '../aliases/project-aliases.ts';
import { findSeenProject } from '../feed/find-project.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { LookedUpProject } from '../marketplace/schema.ts';
import { projectLookups } from '../projects/lookup-cache.ts';
import type { ReadTransaction } from '../storage/store.ts';

export type JobIdDoubt =
  /** Nothing that we know ties it to the project. */
  | { readonly kind: 'unproven' }
  /** It is known to be another project's. `title`: a stranger's words. */
  | { readonly kind: 'other'; readonly title?: string };

const UNPROVEN: JobIdDoubt = { kind: 'unproven' };

interface NamedProject {
  /** The project that the form or the card shows. */
  readonly project: ProjectKey;
  /** The ID that is sent. */
  readonly marketplaceJobId: string;
  /** If sent, the marketplace finds the project by it. */
  readonly projectId?: number | undefined;
}

/** undefined: it is the project's own. */
export async function findJobIdDoubt(
  tx: ReadTransaction,
  team: TeamId,
  { project, marketplaceJobId, projectId }: NamedProject,
): Promise<JobIdDoubt | undefined> {
  const own = projectId === undefined ? undefined : UNPROVEN;
  const { keys, jobIds } = await findProjectAliases(tx, team, { project });
  if (jobIds.includes(removeJobIdTilde(marketplaceJobId))) return own;
  // Its `~id` is known, and is another one.
  if (project.startsWith('~') || jobIds.length > 1) return { kind: 'other' };
  const seen = await findSeenProject(tx, team, { marketplaceJobId });
  if (seen && !keys.includes(seen.project.key)) return { kind: 'other', title: seen.project.title };
  const looked = await readLookup(tx, team, marketplaceJobId);
  if (!looked) return UNPROVEN;
  if (keys.includes(looked.key)) return own;
  // A title proves nothing: its client may have changed it since.
  return isOtherKey(looked.key, project) ? { kind: 'other', title: looked.title } : UNPROVEN;
}

/** Two different ids of one kind, such as two `pid`s. Of two addresses nobody knows. */
function isOtherKey(looked: ProjectKey, project: ProjectKey): boolean {
  const [kind] = project.split(':');
  return kind !== 'url' && looked.startsWith(`${kind}:`);
}

/** The last lookup of an ID; its price may be old, but not which project it is. */
async function readLookup(
  tx: ReadTransaction,
  team: TeamId,
  marketplaceJobId: string,
): Promise<LookedUpProject | undefined> {
  for (const name of [marketplaceJobId, `~${removeJobIdTilde(marketplaceJobId)}`]) {
    const found = await tx.get(projectLookups, [team, name]);
    if (found) return found.project;
  }
  return undefined;
}
