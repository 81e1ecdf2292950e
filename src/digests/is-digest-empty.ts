/** Whether a digest has anything to report. Pure. */
import type { DigestFacts } from './facts.ts';

/** An empty digest is one line with the credits spent, without charts. */
export function isDigestEmpty(facts: DigestFacts): boolean {
  const { projects, invitations, bids, outcomes, connects, setups, feeds } = facts;
  const counts = [
    projects.told,
    invitations.came,
    invitations.waiting,
    bids.list.length,
    outcomes.counts.length,
    connects?.proposals ?? 0,
    setups.length,
    feeds.length,
  ];
  return counts.every((count) => count === 0);
}
