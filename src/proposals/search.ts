/** The contract of the proposal search. */
import type { Proposal } from '../marketplace/schema.ts';
import type { QueryError } from '../query/query.ts';

export type SearchOutcome =
  | { readonly kind: 'mistake'; readonly mistake: QueryError }
  | {
      readonly kind: 'found';
      readonly total: number;
      readonly hits: readonly Proposal[];
      /** Set when small typos were forgiven: the words as proposals spell them. */
      readonly correctedWords?: string;
      /** Without matches: queries that have some, with their totals. */
      readonly suggestedQueries: readonly { readonly query: string; readonly total: number }[];
    };

export interface ProposalSearch {
  /** Builds and updates the index in small slices until stopped. Searches use what is indexed so far. */
  run(signal: AbortSignal): Promise<void>;
  /** @param query in the query language; empty matches everything, newest first. */
  searchProposals(query: string, page: { readonly offset: number; readonly limit: number }): SearchOutcome;
  readonly unindexedCount: number;
}
