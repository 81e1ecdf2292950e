/** Whether two records are equal: the order of their fields doesn't count, nor fields with undefined. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const left = Object.entries(one).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(other).filter(([, value]) => value !== undefined));
  return (
    Array.isArray(one) === Array.isArray(other) &&
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && isDeepEqual(value, right.get(name)))
  );
}
