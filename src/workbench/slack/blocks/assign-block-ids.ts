/** Adds missing IDs to blocks and elements, as Slack does. */
import type { SlackIdGenerator } from '../identifiers.ts';
import { isJsonObject, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { Block, JsonObject } from '../objects.ts';

const INTERACTIVE = /button|select$|picker$|_input$|^overflow$|^checkboxes$/;

function nameElement(element: JsonObject, ids: SlackIdGenerator): JsonObject {
  const type = stringOrUndefined(element['type']) ?? '';
  if (!INTERACTIVE.test(type) || element['action_id'] !== undefined) return element;
  return { ...element, action_id: ids.randomToken(5) };
}

/** The same blocks with a `block_id` each, and an `action_id` on every interactive element. */
export function assignBlockIds(blocks: unknown, ids: SlackIdGenerator): readonly Block[] {
  return objectsInList(blocks).map((block) => {
    const { accessory, element, elements, child_blocks: children } = block;
    return {
      ...block,
      type: stringOrUndefined(block['type']) ?? '',
      block_id: stringOrUndefined(block['block_id']) ?? ids.randomToken(5),
      ...(isJsonObject(accessory) ? { accessory: nameElement(accessory, ids) } : {}),
      ...(Array.isArray(children) ? { child_blocks: assignBlockIds(children, ids) } : {}),
      ...(isJsonObject(element) ? { element: nameElement(element, ids) } : {}),
      ...(Array.isArray(elements) && block['type'] !== 'rich_text'
        ? { elements: objectsInList(elements).map((each) => nameElement(each, ids)) }
        : {}),
    };
  });
}

/** Every interactive element of the blocks, with its block. */
export function listInteractiveElements(
  blocks: readonly Block[],
): readonly { readonly block: Block; readonly element: JsonObject }[] {
  return blocks.flatMap((block) => [
    ...[block['accessory'], block['element'], ...objectsInList(block['elements'])]
      .filter(isJsonObject)
      .filter((element) => INTERACTIVE.test(stringOrUndefined(element['type']) ?? ''))
      .map((element) => ({ block, element })),
    ...listInteractiveElements(objectsInList(block['child_blocks']) as readonly Block[]),
  ]);
}
