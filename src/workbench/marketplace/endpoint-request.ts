/** A request that was admitted. */
export interface EndpointRequest {
  /** Below `/v1`. */
  readonly path: string;
  /** The path's number, where it has one; 0 otherwise. */
  readonly id: number;
  /** The path's text parameter, where it has one. */
  readonly text: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body or when it is none. */
  readonly body: unknown;
}
