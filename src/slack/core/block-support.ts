/**
 * Which of Slack's newer blocks this workspace refuses, and the one place that sends the plain form instead.
 * A refusal means that nothing was posted, so sending the plain form can't post twice. A lost answer is not a
 * refusal. Documented in docs/slack-limits.md, “Newer blocks”.
 */
import type { KnownBlock, View } from '@slack/types';
import { z } from 'zod';
import { DAY, isRecent } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { collection, type Store } from '../../storage/store.ts';
import {
  listReplaceableBlocks,
  type MessageBlock,
  REPLACEABLE_BLOCKS,
  type ReplaceableBlock,
} from '../kit/chart-block.ts';
import { toPlainBlocks } from '../kit/plain-blocks.ts';
import { SlackCallError } from './errors.ts';
import type { BlockSupport, Services } from './routes.ts';

/** A block without a record works, as far as we know. `version`: Gigdesk's. */
const RefusedBlock = z.object({ block: z.string(), at: z.number(), version: z.string() });

export const refusedBlocks = collection({
  name: 'refused-blocks',
  schema: RefusedBlock,
  key: (it) => [it.block],
});

export function createBlockSupport(
  parts: Pick<Services, 'version' | 'clock' | 'log'> & { readonly store: Pick<Store, 'read' | 'transact'> },
): BlockSupport {
  const { version, store, clock, log } = parts;
  const accepted = new Set<ReplaceableBlock>();
  return {
    readRefused: () =>
      store.read(async (tx) => {
        const limit = REPLACEABLE_BLOCKS.length;
        const records = (await tx.list(refusedBlocks, { limit })).map(({ value }) => value);
        const now = clock.now();
        // Slack may have learned the block a week later.
        const current = records.filter((it) => it.version === version && isRecent(it.at, 7 * DAY, now));
        return new Set(REPLACEABLE_BLOCKS.filter((each) => current.some(({ block }) => block === each)));
      }),
    async record(now, refused) {
      for (const block of now) accepted.add(block);
      if (refused.length === 0) return;
      for (const block of refused) accepted.delete(block);
      const blocks = refused.join();
      log.warn('Slack refuses blocks in this workspace, sending their plain form', { blocks });
      const at = clock.now();
      try {
        await store.transact(async (tx) => {
          for (const block of refused) await tx.put(refusedBlocks, { block, at, version });
        });
      } catch (thrown) {
        log.warn('could not store which blocks Slack refuses', { error: asError(thrown) });
      }
    },
    hasAccepted: (block) => accepted.has(block),
  };
}

const REFUSALS = new Set(['invalid_blocks', 'invalid_blocks_format', 'invalid_arguments']);

/** Slack's messages name a type or a place; without any, all of `used` are suspects. */
function findSuspects(
  { details }: SlackCallError,
  blocks: readonly MessageBlock[],
  used: ReadonlySet<ReplaceableBlock>,
): readonly ReplaceableBlock[] {
  const matches = details.flatMap((text) => [...text.matchAll(/\/blocks\/(\d+)/gu)]);
  const places = matches.map(([, at]) => Number(at));
  const named = [...used].filter(
    (type) =>
      details.some((text) => new RegExp(`\\b${type}\\b`, 'u').test(text)) ||
      places.some((place) => blocks[place]?.type === type),
  );
  return named.length > 0 ? named : [...used];
}

/**
 * Sends a message or a view; its plain form where this workspace refuses a block of it, now or earlier. A
 * refusal counts as one of the block only if the plain form is accepted.
 * @param support missing: sends it as it is
 * @throws what `send` throws: after a refusal, the refusal of the plain form
 */
export async function sendOrSendPlain<
  C extends { readonly blocks?: readonly { readonly type: string }[] },
  T,
>(content: C, support: BlockSupport | undefined, send: (content: C) => Promise<T>): Promise<T> {
  const all = (content.blocks ?? []) as readonly MessageBlock[];
  if (!support || listReplaceableBlocks(all).size === 0) return send(content);
  const known = await support.readRefused();
  const refused = new Set(known);
  for (;;) {
    const blocks = toPlainBlocks(all, refused);
    const used = listReplaceableBlocks(blocks);
    try {
      const answer = await send({ ...content, blocks });
      const news = [...refused].filter((each) => !known.has(each));
      await support.record(used, news);
      return answer;
    } catch (thrown) {
      const isRefusal =
        thrown instanceof SlackCallError && thrown.failureKind === 'refused' && REFUSALS.has(thrown.code);
      if (!isRefusal || used.size === 0) throw thrown;
      for (const each of findSuspects(thrown, blocks, used)) refused.add(each);
    }
  }
}

/** A view for an acknowledgement, which Slack doesn't answer: only blocks that it has accepted before. */
export function toAcknowledgedView<V extends View>(view: V, support: BlockSupport | undefined): V {
  const blocks = view.blocks as readonly KnownBlock[];
  const unproven = new Set([...listReplaceableBlocks(blocks)].filter((each) => !support?.hasAccepted(each)));
  return unproven.size === 0 ? view : { ...view, blocks: [...toPlainBlocks(blocks, unproven)] };
}
