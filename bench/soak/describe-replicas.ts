/** What a soak of replicas prints. */
import type { ReplicaSoak } from '../../test/soak/replicas/replica-soak.ts';

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function countUp({ workspaces }: ReplicaSoak) {
  return {
    projects: sum(workspaces.map(({ published }) => published.length)),
    cards: sum(workspaces.map((it) => it.cards().length)),
    jobs: sum(workspaces.map(({ marketplace }) => marketplace.jobs().length)),
    forms: sum(workspaces.map(({ letters }) => letters.length)),
    approvals: sum(workspaces.map(({ approvals }) => approvals.size)),
    requests: sum(workspaces.map(({ marketplace }) => marketplace.requests().length)),
    credits: sum(workspaces.map(({ marketplace }) => marketplace.consumedCredits().total)),
    people: sum(workspaces.map(({ tally }) => tally.requests)),
    failed: sum(workspaces.map(({ tally }) => tally.failed)),
  };
}

/** One line. */
export function describeProgress(soak: ReplicaSoak): string {
  const { kill, database, refusal, cut, pause } = soak.faults.done;
  const { projects, cards, jobs, requests, people, failed } = countUp(soak);
  return (
    `${kill} kills, ${database} restarts of the database, ` +
    `${refusal} refusals, ${cut} cuts, ${pause} pauses · ` +
    `${projects} projects, ${cards} cards, ${jobs} bids, ${requests} requests · ` +
    `people: ${people}, failed ${failed}`
  );
}

/** A table, and the warnings that were logged, most often first. */
export function describeResult(soak: ReplicaSoak): readonly string[] {
  const { faults, workspaces, troubles } = soak;
  const counted = countUp(soak);
  const busiest = Math.max(...workspaces.map(({ marketplace }) => marketplace.maxRequestsInAnyMinute()));
  const rows = [
    ['kills of a replica', faults.done.kill],
    ['restarts of the database', faults.done.database],
    ['times that the database refused', faults.done.refusal],
    ['connections cut, slow or silent', faults.done.cut],
    ['paused replicas', faults.done.pause],
    ['projects, cards', `${counted.projects}, ${counted.cards}`],
    ['bid forms sent, bids made', `${counted.forms}, ${counted.jobs}`],
    ['presses of Approve', counted.approvals],
    ['credits charged', counted.credits],
    ['requests of people, failed', `${counted.people}, ${counted.failed}`],
    ['requests to the marketplaces', counted.requests],
    ["an account's busiest 60 s", `${busiest} of ${workspaces[0]?.requestsPerMinute} requests`],
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const warnings = new Map<string, number>();
  for (const { msg } of troubles) warnings.set(msg, (warnings.get(msg) ?? 0) + 1);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    'warnings and errors in the log:',
    ...[...warnings]
      .toSorted(([, a], [, b]) => b - a)
      .map(([msg, count]) => `  ${String(count).padStart(5)} ${msg}`),
  ];
}
