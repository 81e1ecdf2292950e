/** A request that passed all checks before the endpoint. */
export interface EndpointRequest {
  /** Below `/v1`. */
  readonly path: string;
  /** The number in the path; 0 if it has none. */
  readonly id: number;
  /** The text parameter in the path, if any. */
  readonly text: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined if there is no body or it is invalid. */
  readonly body: unknown;
}
