/** What a person filled in and has not sent yet, and what of it outlives an update of the view. Pure. */
import type { FilledIn, ShownBlock, ShownElement } from '../protocol.ts';

export type TypedValue = FilledIn[string];

/** By `block_id.action_id`, as the simulated Slack takes it. */
export type Typed = Map<string, TypedValue>;

export function keyOf({ blockId, actionId }: Pick<ShownElement, 'blockId' | 'actionId'>): string {
  return `${blockId}.${actionId}`;
}

export function elementsOf(block: ShownBlock): readonly ShownElement[] {
  if (block.kind === 'actions') return block.elements;
  if (block.kind === 'input') return [block.element];
  return block.kind === 'section' && block.accessory ? [block.accessory] : [];
}

/**
 * What stays after an update: values whose block and action stand there still, as the same kind of element.
 * That is Slack's rule, so an app that gives a block a new id empties its field.
 */
export function keepTyped(
  typed: ReadonlyMap<string, TypedValue>,
  before: readonly ShownBlock[],
  after: readonly ShownBlock[],
): Typed {
  const typeOf = new Map(before.flatMap(elementsOf).map((each) => [keyOf(each), each.type]));
  const kept: Typed = new Map();
  for (const element of after.flatMap(elementsOf)) {
    const key = keyOf(element);
    const value = typed.get(key);
    if (value !== undefined && typeOf.get(key) === element.type) kept.set(key, value);
  }
  return kept;
}

/** What stands in an element: what was typed, else what the server says. */
export function valueIn(element: ShownElement, typed: ReadonlyMap<string, TypedValue>): TypedValue {
  const own = typed.get(keyOf(element));
  return own === undefined ? (element.current ?? null) : own;
}

/** The same as a list, for elements that take several. */
export function valuesIn(element: ShownElement, typed: ReadonlyMap<string, TypedValue>): readonly string[] {
  const value = valueIn(element, typed);
  if (value === null || value === '') return [];
  return typeof value === 'object' ? value : [String(value)];
}

export function filledIn(typed: ReadonlyMap<string, TypedValue>): FilledIn {
  return Object.fromEntries(typed);
}
