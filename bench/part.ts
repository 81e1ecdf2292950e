/**
 * A part of the benchmark returns rows of one table. A part is a module of `bench/parts` that exports
 * `measure`; it runs in its own process (with --expose-gc), so parts share no memory or work.
 */

/** One row: a measured figure, its baseline, and its bar. */
export type Row = {
  /** In words a newcomer understands: "Acknowledgement at 200 interactions a second, p99". */
  readonly what: string;
  readonly measured: number;
  /** "x" of the baseline (a ratio), or "ms", "s", "kB", "MB", "%", "credits", or "" for a count or an exponent. */
  readonly unit: string;
  /**
   * The baseline of the same run, with its own figure: "a bare Bolt app, 2.1 ms"; "none" for a plain count.
   */
  readonly baseline: string;
  /** The bar (a ratio where possible); absent for a row that is informational. */
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
  /** Context for the figure: rounds, spread, the figures behind a ratio. One short sentence. */
  readonly note?: string;
};

export type PartOptions = {
  /** Less data and fewer rounds: all parts together end within two minutes. Bars stay the same. */
  readonly quick: boolean;
  /** Reports progress; a line every few seconds at most. */
  readonly say: (line: string) => void;
};

export type Measure = (options: PartOptions) => Promise<readonly Row[]>;

/** Whether a row meets its bar; a row without a bar does. */
export function holds(row: Row): boolean {
  if (row.bar === undefined) return true;
  return 'atMost' in row.bar ? row.measured <= row.bar.atMost : row.measured >= row.bar.atLeast;
}
