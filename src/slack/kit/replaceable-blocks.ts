/** Blocks that some workspaces' Slack may refuse. `plain-blocks.ts` has their plain form. Pure. */

/** The block types that have a plain form, and so may be refused. */
export const REPLACEABLE_BLOCKS = ['data_table', 'alert', 'container', 'data_visualization'] as const;
export type ReplaceableBlock = (typeof REPLACEABLE_BLOCKS)[number];

export function listReplaceableBlocks(
  blocks: readonly { readonly type: string }[] | undefined,
): ReadonlySet<ReplaceableBlock> {
  return new Set(
    (blocks ?? []).flatMap(({ type }) => REPLACEABLE_BLOCKS.find((each) => each === type) ?? []),
  );
}
