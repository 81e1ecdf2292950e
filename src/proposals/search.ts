/** The contract of searching the mirror. */
import type { Proposal } from '../marketplace/schema.ts';
import type { QueryError } from '../query/query.ts';

export type SearchOutcome =
  | { readonly kind: 'mistake'; readonly mistake: QueryError }
  | {
      readonly kind: 'found';
      readonly total: number;
      readonly hits: readonly Proposal[];
      /** Found with small typing errors forgiven: the words as they stand in proposals. */
      readonly correctedWords?: string;
      /** For nothing found: queries that find something, with how many. */
      readonly suggestedQueries: readonly { readonly query: string; readonly total: number }[];
    };

export interface ProposalSearch {
  /** Builds and keeps up the index in small slices until stopped; searches work meanwhile on what is indexed. */
  run(signal: AbortSignal): Promise<void>;
  /** @param query in the query language; empty: everything, newest first. */
  searchProposals(query: string, page: { readonly offset: number; readonly limit: number }): SearchOutcome;
  /** Proposals that are not indexed yet. */
  readonly unindexedCount: number;
}
