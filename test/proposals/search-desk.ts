/** A manually filled mirror with the search over it. */
import { ProfileId, ProposalId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { Proposal, ProposalWithoutTexts } from '../../src/marketplace/schema.ts';
import {
  createProposalSearch,
  type ProposalSearch,
  type SearchOutcome,
} from '../../src/proposals/create-search.ts';
import type { ProposalChange } from '../../src/proposals/mirror.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { plainProposal } from '../plain-proposal.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

export function aProposal(id: number, of: Partial<Proposal> = {}): Proposal {
  return plainProposal(id, {
    submittedAt: NOW - id * 3_600_000,
    profile: { id: ProfileId.parse(11), label: 'Studio' },
    ...of,
  });
}

export class SearchDesk {
  readonly clock = new ManualClock(NOW);
  readonly #held = new Map<ProposalId, Proposal>();
  #onChange: (changes: readonly ProposalChange[]) => void = () => {};
  #onForget: (forgotten: readonly ProposalWithoutTexts[]) => void = () => {};
  readonly #stop = new AbortController();
  /** Called whenever indexing yields to other work. */
  atPause = () => {};
  readonly search: ProposalSearch;
  #running: Promise<void> | undefined;

  constructor(proposals: readonly Proposal[] = [], keepsIndex: 'always' | 'while-used' = 'always') {
    for (const each of proposals) this.#held.set(each.id, each);
    const held = this.#held;
    this.search = createProposalSearch({
      mirror: {
        get size() {
          return held.size;
        },
        get: (id) => held.get(id),
        getFacts: (id) => held.get(id),
        listNewestFirst: () => [...held.values()],
        onChange: (listener) => {
          this.#onChange = listener;
        },
        onForget: (listener) => {
          this.#onForget = listener;
        },
      },
      keepsIndex,
      clock: this.clock,
      log: silentLog,
      pause: async () => this.atPause(),
    });
  }

  start(): void {
    this.#running ??= this.search.run(this.#stop.signal);
  }

  /** Waits until everything is indexed. */
  async settle(): Promise<void> {
    this.start();
    while (this.search.unindexedCount > 0) await Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  put(...proposals: readonly Proposal[]): void {
    const changes = proposals.map((now) => {
      const before = this.#held.get(now.id);
      this.#held.set(now.id, now);
      return before ? { before, now } : { now };
    });
    this.#onChange(changes);
  }

  forget(id: number): void {
    const gone = this.#held.get(ProposalId.parse(id));
    if (!gone) return;
    this.#held.delete(gone.id);
    this.#onForget([gone]);
  }

  outcome(query: string, page = { offset: 0, limit: 1_000 }): SearchOutcome {
    return this.search.searchProposals(query, page);
  }

  found(query: string, page?: { offset: number; limit: number }): Extract<SearchOutcome, { kind: 'found' }> {
    const outcome = this.outcome(query, page);
    if (outcome.kind === 'mistake') throw new Error(`${query}: ${outcome.mistake.message}`);
    return outcome;
  }

  ids(query: string): readonly number[] {
    return this.found(query).hits.map(({ id }) => id);
  }
}
