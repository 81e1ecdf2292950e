/** A person's unsent input, and which of it survives an update of the view. Pure. */
import type { PageInputValues, ShownBlock, ShownElement } from '../protocol.ts';

export type InputValue = PageInputValues[string];

/** By `block_id.action_id`, as in the simulated Slack. */
export type UnsentInput = Map<string, InputValue>;

export function elementKey({ blockId, actionId }: Pick<ShownElement, 'blockId' | 'actionId'>): string {
  return `${blockId}.${actionId}`;
}

export function listBlockElements(block: ShownBlock): readonly ShownElement[] {
  if (block.kind === 'actions') return block.elements;
  if (block.kind === 'input') return [block.element];
  if (block.kind === 'container') return block.blocks.flatMap(listBlockElements);
  return block.kind === 'section' && block.accessory ? [block.accessory] : [];
}

/**
 * The input that survives an update: values whose block and action still exist with the same type of element.
 * This is Slack's rule, so an app that gives a block a new ID clears its field.
 */
export function filterInputForUpdatedBlocks(
  typed: ReadonlyMap<string, InputValue>,
  before: readonly ShownBlock[],
  after: readonly ShownBlock[],
): UnsentInput {
  const typeOf = new Map(before.flatMap(listBlockElements).map((each) => [elementKey(each), each.type]));
  const kept: UnsentInput = new Map();
  for (const element of after.flatMap(listBlockElements)) {
    const key = elementKey(element);
    const value = typed.get(key);
    if (value !== undefined && typeOf.get(key) === element.type) kept.set(key, value);
  }
  return kept;
}

/** An element's value: unsent input, else the server's value. */
export function currentElementValue(
  element: ShownElement,
  typed: ReadonlyMap<string, InputValue>,
): InputValue {
  const own = typed.get(elementKey(element));
  return own === undefined ? (element.current ?? null) : own;
}

/** The same as a list, for elements that accept several values. */
export function currentElementValues(
  element: ShownElement,
  typed: ReadonlyMap<string, InputValue>,
): readonly string[] {
  const value = currentElementValue(element, typed);
  if (value === null || value === '') return [];
  return typeof value === 'object' ? value : [String(value)];
}

export function toPageInputValues(typed: ReadonlyMap<string, InputValue>): PageInputValues {
  return Object.fromEntries(typed);
}
