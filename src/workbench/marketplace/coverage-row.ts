/** The shape of the coverage table. */
export interface CoverageRow {
  /** An endpoint as `METHOD /path`, or a name for a rule. */
  readonly id: string;
  /** The section of docs/marketplace-api.md. */
  readonly section: string;
  readonly rule: string;
  /** `chosen`: simulated, but the description leaves open how. `absent`: not simulated, and asking for it is refused. */
  readonly how: 'simulated' | 'chosen' | 'absent';
  readonly choice?: string;
}
