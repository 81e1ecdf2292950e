/** What bids and proposals say of the team's work, for the feed to compare new projects with. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { hasBidOnProject } from '../bidding/project-bidding.ts';
import type { TeamRecord } from '../feed/fit-histories.ts';
import type { WonProposal } from '../feed/fit-history.ts';
import type { TeamId } from '../ids.ts';
import type { ProposalMirror } from './mirror.ts';

/** Older wins say little about what the team wants now. */
const MOST_READ = 5_000;
const MOST_WON = 100;

/** Newest first. */
function listNewestWonProposals(mirror: Pick<ProposalMirror, 'listNewestFirst'>): readonly WonProposal[] {
  const won: WonProposal[] = [];
  let read = 0;
  for (const { hired, jobTitle, occupation } of mirror.listNewestFirst()) {
    if (hired && jobTitle !== undefined) won.push({ title: jobTitle, ...omitUndefined({ occupation }) });
    read += 1;
    if (read >= MOST_READ || won.length >= MOST_WON) break;
  }
  return won;
}

/** @param getMirror called once the feed runs: the mirror is created after the feed */
export function createTeamRecord(
  team: TeamId,
  getMirror: () => Pick<ProposalMirror, 'listNewestFirst'>,
): TeamRecord {
  return {
    hasBid: (tx, project) => hasBidOnProject(tx, team, project),
    listWonProposals: () => listNewestWonProposals(getMirror()),
  };
}
