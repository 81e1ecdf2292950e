/** What every error of ours has: a stable code for programs, the cause kept for the log. */
export abstract class GigdeskError extends Error {
  abstract readonly code: string;
}

/** Any thrown value as an Error, so that a log line always has a message and a stack. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`Non-error thrown: ${String(thrown)}`);
}
