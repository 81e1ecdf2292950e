/** Block types that a workspace's Slack refuses although they are well-formed. */
import { objectsInList } from '../json-reading.ts';
import type { RefusedBlocks } from '../simulator-context.ts';

/** Problems in Slack's words; undefined if no block is refused. `at` is the JSON pointer of the blocks. */
export function findRefusedBlocks(
  blocks: unknown,
  { types, isNamed }: RefusedBlocks,
  at: string,
): readonly string[] | undefined {
  const refused = objectsInList(blocks).flatMap(({ type }, index) =>
    typeof type === 'string' && types.includes(type)
      ? [`unsupported type: ${type} [json-pointer:${at}/${index}/type]`]
      : [],
  );
  if (refused.length === 0) return undefined;
  return isNamed ? refused : [];
}
