/** A stub for calls that a test never makes. @throws Error when called */
export function never(what: string): () => never {
  return () => {
    throw new Error(`${what} is not for handlers`);
  };
}
