/** Why an outcome is unknown although the marketplace did answer. Pure. */

/** A response that doesn't say whether the request succeeded. */
export interface UnclearResponse {
  /** Missing: there was no response. */
  readonly httpStatus?: number | undefined;
}

/** `the marketplace answered with an error (HTTP 500)`; undefined if there was no response. */
export function unclearResponseText({ httpStatus }: UnclearResponse): string | undefined {
  if (httpStatus === undefined) return undefined;
  return httpStatus >= 400
    ? `the marketplace returned an error (HTTP ${httpStatus})`
    : `the marketplace's response couldn't be read (HTTP ${httpStatus})`;
}
