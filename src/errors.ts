/** Base of all Gigdesk errors: a stable code for programs, and the cause for the log. */
export abstract class GigdeskError extends Error {
  abstract readonly code: string;
}

/** Any thrown value as an Error, so that a log line always has a message and a stack. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Non-error thrown: ${String(thrown)}`);
}
