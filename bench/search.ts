/** Measures the search of 20,000 proposals: building the index, memory, and queries of each kind beside a plain scan. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { keepProcessAlive, machineClock, type Random } from '../src/clock.ts';
import { silentLog } from '../src/log.ts';
import type { Proposal } from '../src/marketplace/schema.ts';
import { createSearch } from '../src/proposals/create-search.ts';
import type { ProposalSearch } from '../src/proposals/search.ts';
import { matchQuery } from '../src/query/match-query.ts';
import { proposalSubject, readProposalSearch } from '../src/query/proposal-search.ts';
import { seededRandom } from '../test/seeded-random.ts';
import { generateProposals } from './generate-proposals.ts';
import { makeQueryKinds } from './search-queries.ts';

const PROPOSALS = 20_000;
const QUERIES = 200;
/** A scan takes about half a second. */
const SCANS = 4;
const BAR_P95_MS = 20;
const BAR_STALL_MS = 50;
const BAR_MEMORY_MB = 400;

/** What is collected by then: run with --expose-gc. */
function usedMegabytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function keptOrNot(kept: boolean): string {
  return kept ? 'held' : 'NOT HELD';
}

/** What else runs on the machine stalls a loop, too. */
async function measureIdleStall(): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await machineClock.sleep(3_000);
  delays.disable();
  return delays.max / 1e6;
}

async function buildIndex(proposals: readonly Proposal[]): Promise<ProposalSearch> {
  const byId = new Map(proposals.map((each) => [each.id, each]));
  let sliceCpuMs = 0;
  let usage = process.cpuUsage();
  const search = createSearch({
    mirror: {
      size: proposals.length,
      newest: () => proposals,
      get: (id) => byId.get(id),
      onChange() {},
      onForget() {},
    },
    clock: machineClock,
    log: silentLog,
    async pause(signal) {
      const { user, system } = process.cpuUsage(usage);
      sliceCpuMs = Math.max(sliceCpuMs, (user + system) / 1_000);
      await machineClock.sleep(0, signal);
      usage = process.cpuUsage();
    },
  });
  const idleMs = await measureIdleStall();
  const stop = new AbortController();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const before = usedMegabytes();
  const began = performance.now();
  delays.enable();
  usage = process.cpuUsage();
  const running = search.run(stop.signal);
  while (search.behind > 0) await machineClock.sleep(2);
  delays.disable();
  const tookMs = performance.now() - began;
  stop.abort();
  await running;
  const stallMs = delays.max / 1e6;
  const used = usedMegabytes();
  const resident = process.memoryUsage().rss / 1e6;
  print(`index built in ${tookMs.toFixed(0)} ms`);
  print(`longest stall ${stallMs.toFixed(1)} ms, bar ${BAR_STALL_MS}: ${keptOrNot(stallMs < BAR_STALL_MS)};`);
  print(
    `  of CPU in a slice ${sliceCpuMs.toFixed(1)} ms; with nothing to do, ${idleMs.toFixed(1)} ms (what the machine adds)`,
  );
  print(
    `index ${(used - before).toFixed(0)} MB, with the proposals ${used.toFixed(0)} MB, resident ${resident.toFixed(0)} MB,`,
  );
  print(`  bar ${BAR_MEMORY_MB}: ${keptOrNot(resident < BAR_MEMORY_MB)}`);
  return search;
}

interface Times {
  readonly wall: readonly number[];
  /** Of all threads of this process: says what a query costs where the machine is shared. */
  readonly cpu: readonly number[];
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
  return { wall: wall.sort((a, b) => a - b), cpu: cpu.sort((a, b) => a - b) };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function scan(proposals: readonly Proposal[], query: string): void {
  const read = readProposalSearch(query);
  if (read.kind === 'mistake') throw new Error(`${query}: ${read.message}`);
  const now = machineClock.now();
  proposals.filter((each) => matchQuery(read.filter, proposalSubject(each, now)));
}

function measureQueries(search: ProposalSearch, proposals: readonly Proposal[], random: Random): void {
  const page = { offset: 0, limit: 5 };
  const cell = (value: number) => value.toFixed(1).padStart(8);
  const heads = ['p50', 'p95', 'p99', 'cpu p95', 'scan p50', 'times']
    .map((head) => head.padStart(8))
    .join(' ');
  print(`\n${'ms'.padEnd(28)} ${heads}`);
  let worst = 0;
  let worstCpu = 0;
  for (const { kind, make } of makeQueryKinds(proposals, random)) {
    const queries = Array.from({ length: QUERIES }, () => make());
    const run = (query: string) => void search.search(query, page);
    time(queries.slice(0, 20), run);
    const { wall, cpu } = time(queries, run);
    const scanned = quantile(time(queries.slice(0, SCANS), (query) => scan(proposals, query)).wall, 0.5);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(wall, share));
    worst = Math.max(worst, p95 ?? 0);
    worstCpu = Math.max(worstCpu, quantile(cpu, 0.95));
    const ratio = `${(scanned / (p50 ?? 1)).toFixed(0)} x`.padStart(8);
    const cells = [p50 ?? 0, p95 ?? 0, p99 ?? 0, quantile(cpu, 0.95), scanned].map(cell).join(' ');
    print(`${kind.padEnd(28)} ${cells} ${ratio}`);
  }
  print(
    `\nlargest p95 ${worst.toFixed(1)} ms (of CPU ${worstCpu.toFixed(1)} ms), bar ${BAR_P95_MS}: ${keptOrNot(worst < BAR_P95_MS)}`,
  );
}

keepProcessAlive();
const random = seededRandom(4);
const proposals = generateProposals(PROPOSALS, random);
print(`${PROPOSALS} proposals, ${QUERIES} queries of each kind, Node ${process.version}`);
const search = await buildIndex(proposals);
measureQueries(search, proposals, random);
process.exit();
