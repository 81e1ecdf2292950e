/** Finds the buttons of a message or a view by action, independent of their labels. */

/** The values of all buttons of one action, at any depth. */
export function valuesOf(shown: unknown, id: string): string[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const own = 'action_id' in shown && shown.action_id === id && 'value' in shown ? [shown.value] : [];
  const values = own.filter((value) => typeof value === 'string');
  return [...values, ...Object.values(shown).flatMap((part) => valuesOf(part, id))];
}

/** Whether any of its controls has this action. */
export function offers(shown: unknown, id: string): boolean {
  if (typeof shown !== 'object' || shown === null) return false;
  return (
    ('action_id' in shown && shown.action_id === id) || Object.values(shown).some((it) => offers(it, id))
  );
}
