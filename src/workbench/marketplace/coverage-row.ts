/** The shape of the coverage table. */
export interface CoverageRow {
  /** An endpoint as `METHOD /path`, or a rule's name. */
  readonly id: string;
  /** The section of docs/marketplace-api.md. */
  readonly section: string;
  readonly rule: string;
  /** `chosen`: simulated, but the documentation leaves details open. `absent`: not simulated, refused. */
  readonly how: 'simulated' | 'chosen' | 'absent';
  readonly choice?: string;
}
