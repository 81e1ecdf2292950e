/**
 * What a part of the benchmark gives: rows of one table. A part is a module of `bench/parts` that exports `measure`;
 * it runs in a process of its own (with --expose-gc), so that no part's memory or work is another's.
 */

/** One line: what was measured, against what, and the bar that it is held to. */
export type Row = {
  /** What it is, in words a newcomer understands: "Acknowledgement at 200 interactions a second, p99". */
  readonly what: string;
  readonly measured: number;
  /** "x" of the baseline (a ratio), or "ms", "s", "MB", "%", "credits", or "" for a count or an exponent. */
  readonly unit: string;
  /** What ran beside it in the same run, with its own figure: "a bare Bolt app, 2.1 ms"; for a plain count "none". */
  readonly baseline: string;
  /** What must hold (design: each bar is a ratio where it can be); left out where the row is told for its own sake. */
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
  /** What the reader must know to believe the figure: rounds, spread, figures behind the ratio. One short sentence. */
  readonly note?: string;
};

export type PartOptions = {
  /** Less data and fewer rounds: all parts together end within two minutes. Bars stay the same. */
  readonly quick: boolean;
  /** What goes on, for the person who waits; a line each few seconds at most. */
  readonly say: (line: string) => void;
};

export type Measure = (options: PartOptions) => Promise<readonly Row[]>;

/** Whether a row's bar holds; a row without a bar has nothing to hold. */
export function holds(row: Row): boolean {
  if (row.bar === undefined) return true;
  return 'atMost' in row.bar ? row.measured <= row.bar.atMost : row.measured >= row.bar.atLeast;
}
