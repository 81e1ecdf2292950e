/** The query language's shape: shared by the rules of subscriptions and the search of proposals. Pure. */

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

export interface QualifierTerm {
  readonly kind: 'qualifier';
  readonly name: string;
  readonly comparison: Comparison;
  /** As written, unquoted and checked by the vocabulary. */
  readonly value: string;
  readonly negated: boolean;
}

export type QueryTerm =
  | { readonly kind: 'word'; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'phrase'; readonly text: string; readonly negated: boolean }
  | QualifierTerm;

/** All terms must hold. An empty query holds for everything. */
export interface Query {
  readonly terms: readonly QueryTerm[];
}

/** What may stand behind a qualifier's name. */
export type QualifierKind =
  /** Compared as a number; `k` and `m` count thousands and millions, `$` and `,` are forgiven, `%` divides by 100 where `ratio`. */
  | {
      readonly kind: 'number';
      readonly ratio?: boolean;
      /** The largest there is; the smallest is 0. 1 where `ratio`. */
      readonly most?: number;
      /** For examples, as `>=4`; `>=500` when absent. */
      readonly sample?: `${Comparison}${string}`;
    }
  /** Equals, ignoring case. */
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** One of the choices, for the whole query: stands once and excludes nothing. Those in `withWords` need words to look for. */
  | {
      readonly kind: 'order';
      readonly choices: readonly string[];
      readonly withWords: readonly string[];
    }
  | { readonly kind: 'yes-no' }
  /** `2026-11-20` or `7d` (days ago). */
  | { readonly kind: 'date' };

export interface QueryVocabulary {
  /** For help and mistakes: `rules of a filter`, `search of proposals`. */
  readonly of: string;
  readonly qualifiers: Readonly<Record<string, QualifierKind>>;
  /** A query that is right, shown with every mistake. */
  readonly example: string;
  /** What to write for alternatives, since there is no OR: sentences. */
  readonly alternatives: string;
}

export interface QueryError {
  readonly kind: 'mistake';
  /** Where in the text, in UTF-16 units from 0, and how long. */
  readonly at: number;
  readonly length: number;
  /** A sentence for the person. */
  readonly message: string;
  /** A corrected example, as near to what was written as possible. */
  readonly example: string;
}

export type ParsedQuery = { readonly kind: 'query'; readonly query: Query } | QueryError;
