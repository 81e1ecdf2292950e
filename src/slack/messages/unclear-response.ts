/** Why an outcome is unknown, where the marketplace did answer. Pure. */

/** An answer that came, and left open what the request did. */
export interface ResponseStatus {
  /** Missing: nothing came. */
  readonly httpStatus?: number | undefined;
}

/** `the marketplace answered with an error (HTTP 500)`; undefined where nothing came. */
export function unclearResponseText({ httpStatus }: ResponseStatus): string | undefined {
  if (httpStatus === undefined) return undefined;
  return httpStatus >= 400
    ? `the marketplace returned an error (HTTP ${httpStatus})`
    : `the marketplace's response couldn't be read (HTTP ${httpStatus})`;
}
