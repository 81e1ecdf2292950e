/** `now` over `before`: what `now` doesn't have, or has as undefined, stays. */
export function keepKnown<T extends object>(before: T, now: Partial<T>): T {
  const known = Object.entries(now).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(known) as Partial<T>) };
}
