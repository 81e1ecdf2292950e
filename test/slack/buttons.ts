/** The buttons of a message or a view, found by what they do and not by what they say. */

/** The values of all buttons of one action, wherever they stand. */
export function valuesOf(shown: unknown, id: string): string[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const own = 'action_id' in shown && shown.action_id === id && 'value' in shown ? [shown.value] : [];
  const values = own.filter((value) => typeof value === 'string');
  return [...values, ...Object.values(shown).flatMap((part) => valuesOf(part, id))];
}

/** Whether something in it does this when it is pressed or chosen. */
export function offers(shown: unknown, id: string): boolean {
  if (typeof shown !== 'object' || shown === null) return false;
  return (
    ('action_id' in shown && shown.action_id === id) || Object.values(shown).some((it) => offers(it, id))
  );
}
