/** What a soak of replicas prints. */
import { REQUESTS_PER_MINUTE } from '../../test/soak/replicas/place.ts';
import type { ReplicaSoak } from '../../test/soak/replicas/replica-soak.ts';

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function countUp({ places }: ReplicaSoak) {
  return {
    projects: sum(places.map(({ published }) => published.length)),
    cards: sum(places.map((place) => place.cards().length)),
    jobs: sum(places.map(({ marketplace }) => marketplace.jobs().length)),
    forms: sum(places.map(({ letters }) => letters.length)),
    approvals: sum(places.map(({ approvals }) => approvals.length)),
    requests: sum(places.map(({ marketplace }) => marketplace.requests().length)),
    credits: sum(places.map(({ marketplace }) => marketplace.consumedCredits().total)),
  };
}

/** One line. */
export function describeProgress(soak: ReplicaSoak): string {
  const { fleet, faults, people } = soak;
  const { projects, cards, jobs, requests } = countUp(soak);
  return (
    `${fleet.kills} kills, ${faults.databaseRestarts} restarts of the database, ` +
    `${faults.refusals} refusals, ${faults.cuts} cuts, ${faults.pauses} pauses · ` +
    `${projects} projects, ${cards} cards, ${jobs} bids, ${requests} requests · ` +
    `people: ${people.tally.requests}, failed ${people.tally.failed}`
  );
}

/** A table, and the warnings that were logged, most often first. */
export function describeResult(soak: ReplicaSoak): readonly string[] {
  const { fleet, faults, people, places } = soak;
  const counted = countUp(soak);
  const busiest = Math.max(...places.map(({ marketplace }) => marketplace.maxRequestsInAnyMinute()));
  const rows = [
    ['kills of a replica', fleet.kills],
    ['restarts of the database', faults.databaseRestarts],
    ['times that the database refused', faults.refusals],
    ['connections cut, slow or silent', faults.cuts],
    ['paused replicas', faults.pauses],
    ['projects, cards', `${counted.projects}, ${counted.cards}`],
    ['bid forms sent, bids made', `${counted.forms}, ${counted.jobs}`],
    ['presses of Approve', counted.approvals],
    ['credits charged', counted.credits],
    ['requests of people, failed', `${people.tally.requests}, ${people.tally.failed}`],
    ['requests to the marketplaces', counted.requests],
    ["an account's busiest 60 s", `${busiest} of ${REQUESTS_PER_MINUTE} requests`],
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const warnings = [...fleet.warnings].toSorted(([, a], [, b]) => b - a);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    'warnings and errors in the log:',
    ...warnings.map(([msg, count]) => `  ${String(count).padStart(5)} ${msg}`),
  ];
}
