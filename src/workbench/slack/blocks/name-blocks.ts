/** Gives blocks and elements the ids that their author left out, as Slack does. */
import type { Identifiers } from '../identifiers.ts';
import type { Block, Json } from '../objects.ts';
import { isObject, objectsOf, textOf } from '../reading.ts';

const INTERACTIVE = /button|select$|picker$|_input$|^overflow$|^checkboxes$/;

function nameElement(element: Json, ids: Identifiers): Json {
  const type = textOf(element['type']) ?? '';
  if (!INTERACTIVE.test(type) || element['action_id'] !== undefined) return element;
  return { ...element, action_id: ids.token(5) };
}

/** The same blocks with a `block_id` each, and an `action_id` on every interactive element. */
export function nameBlocks(blocks: unknown, ids: Identifiers): readonly Block[] {
  return objectsOf(blocks).map((block) => {
    const { accessory, element, elements } = block;
    return {
      ...block,
      type: textOf(block['type']) ?? '',
      block_id: textOf(block['block_id']) ?? ids.token(5),
      ...(isObject(accessory) ? { accessory: nameElement(accessory, ids) } : {}),
      ...(isObject(element) ? { element: nameElement(element, ids) } : {}),
      ...(Array.isArray(elements) && block['type'] !== 'rich_text'
        ? { elements: objectsOf(elements).map((each) => nameElement(each, ids)) }
        : {}),
    };
  });
}

/** Every interactive element of some blocks, with the block that it stands in. */
export function interactiveElements(
  blocks: readonly Block[],
): readonly { readonly block: Block; readonly element: Json }[] {
  return blocks.flatMap((block) =>
    [block['accessory'], block['element'], ...objectsOf(block['elements'])]
      .filter(isObject)
      .filter((element) => INTERACTIVE.test(textOf(element['type']) ?? ''))
      .map((element) => ({ block, element })),
  );
}
