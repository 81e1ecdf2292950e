/** The query language's types, shared by subscription rules and the proposal search. Pure. */

export type ComparisonOperator = '=' | '>' | '>=' | '<' | '<=';

export interface QualifierTerm {
  readonly kind: 'qualifier';
  readonly name: string;
  readonly comparison: ComparisonOperator;
  /** Unquoted and validated by the vocabulary, otherwise as written. */
  readonly value: string;
  readonly negated: boolean;
}

export type QueryTerm =
  | { readonly kind: 'word'; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'phrase'; readonly text: string; readonly negated: boolean }
  | QualifierTerm;

/** All terms must match. An empty query matches everything. */
export interface Query {
  readonly terms: readonly QueryTerm[];
}

export type QualifierKind =
  /**
   * A number. `k` and `m` mean thousands and millions, `$` and separators are ignored, `%` divides by 100
   * for a `ratio`.
   */
  | {
      readonly kind: 'number';
      readonly ratio?: boolean;
      /** The maximum; the minimum is 0. 1 for a `ratio`. */
      readonly most?: number;
      /** For examples, such as `>=4`; `>=500` when absent. */
      readonly sample?: `${ComparisonOperator}${string}`;
    }
  /** Equals, ignoring case. */
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /**
   * A choice for the whole query: allowed once and never excluded. Choices in `withWords` need words to
   * search.
   */
  | {
      readonly kind: 'order';
      readonly choices: readonly string[];
      readonly withWords: readonly string[];
    }
  | { readonly kind: 'yes-no' }
  /** `2026-11-20` or `7d` (days ago). */
  | { readonly kind: 'date' };

export interface QueryVocabulary {
  /** For help and errors: `rules of a filter`, `search of proposals`. */
  readonly of: string;
  readonly qualifiers: Readonly<Record<string, QualifierKind>>;
  /** A valid query, shown with every error. */
  readonly example: string;
  /** Sentences on how to write alternatives, since there is no OR. */
  readonly alternatives: string;
}

/** undefined for a name that the vocabulary doesn't have. */
export function findQualifier({ qualifiers }: QueryVocabulary, name: string): QualifierKind | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(qualifiers, known) ? qualifiers[known] : undefined;
}

/** Whether commas separate a qualifier's values. */
export function hasValueList(kind: QualifierKind | undefined): boolean {
  return kind?.kind === 'text' || kind?.kind === 'choice';
}

export interface QueryError {
  readonly kind: 'mistake';
  /** Position in the text, in UTF-16 units from 0, and length. */
  readonly at: number;
  readonly length: number;
  /** A sentence for the user. */
  readonly message: string;
  /** A corrected example, as close to the input as possible. */
  readonly example: string;
}

export type ParsedQuery = { readonly kind: 'query'; readonly query: Query } | QueryError;
