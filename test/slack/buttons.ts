/** Finds the buttons of a message or a view by action, independent of their labels. */

/** The values of all buttons and menu options of one action, at any depth. */
export function valuesOf(shown: unknown, id: string): string[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const isIt = 'action_id' in shown && shown.action_id === id;
  const options = isIt && 'options' in shown && Array.isArray(shown.options) ? shown.options : [];
  const offered = options.map((option: { readonly value?: unknown }) => option.value);
  const own = isIt && 'value' in shown ? [shown.value] : offered;
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
