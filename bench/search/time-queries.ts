import { performance } from 'node:perf_hooks';
import { machineClock } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { ProposalSearch } from '../../src/proposals/create-search.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { parseProposalSearch } from '../../src/query/proposal-search.ts';
import { proposalSearchSubject } from '../../test/query/proposal-subject.ts';
import type { QueryKind } from './make-queries.ts';

const PAGE = { offset: 0, limit: 5 };
const WARMING = 20;

export interface Times {
  /** Milliseconds, query by query. */
  readonly wall: readonly number[];
  /** CPU time over all threads of this process, in ms: the cost of a query on a shared machine. */
  readonly cpu: readonly number[];
}

export interface TimedKind {
  readonly kind: string;
  readonly queries: readonly string[];
  readonly times: Times;
}

/** Times `count` queries of one kind, after a few uncounted ones. */
export function timeKind({ kind, make }: QueryKind, search: ProposalSearch, count: number): TimedKind {
  const queries = Array.from({ length: count }, () => make());
  const run = (query: string) => void search.searchProposals(query, PAGE);
  time(queries.slice(0, WARMING), run);
  return { kind, queries, times: time(queries, run) };
}

/** Scans every proposal, with the query parsed in the same way. */
export function timeScan(proposals: readonly Proposal[], queries: readonly string[]): Times {
  return time(queries, (query) => {
    const read = parseProposalSearch(query);
    if (read.kind === 'mistake') throw new Error(`${query}: ${read.message}`);
    const now = machineClock.now();
    proposals.filter((each) => matchesQuery(read.filter, proposalSearchSubject(each, now)));
  });
}

function time(queries: readonly string[], run: (query: string) => void): Times {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (const query of queries) {
    const usage = process.cpuUsage();
    const began = performance.now();
    run(query);
    wall.push(performance.now() - began);
    const { user, system } = process.cpuUsage(usage);
    cpu.push((user + system) / 1_000);
  }
  return { wall, cpu };
}
