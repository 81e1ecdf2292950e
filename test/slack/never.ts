/** Stands for what a test never comes to. @throws Error when it does */
export function never(what: string): () => never {
  return () => {
    throw new Error(`${what} is not for handlers`);
  };
}
