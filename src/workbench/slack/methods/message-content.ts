/** The text, blocks, attachments and metadata of a message that the app wants to write. */
import { messageProblems, textLength } from '../blocks/block-rules.ts';
import { BLOCK_LIMITS } from '../blocks/limits.ts';
import { nameBlocks } from '../blocks/name-blocks.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Block, Json, Metadata } from '../objects.ts';
import { isObject, objectsOf, textOf } from '../reading.ts';
import type { Arguments } from '../web/arguments.ts';
import { Refusal } from '../web/refusal.ts';

export interface Content {
  readonly text: string;
  readonly blocks: readonly Block[] | undefined;
  readonly attachments: readonly Json[] | undefined;
  readonly metadata: Metadata | undefined;
}

/** @throws Refusal `invalid_blocks` or `invalid_blocks_format` */
export function readBlocks(value: unknown, ids: Identifiers, at = '/blocks'): readonly Block[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new Refusal('invalid_blocks_format');
  const problems = messageProblems(value, at);
  if (problems.length > 0) throw new Refusal('invalid_blocks', {}, problems);
  if (textLength(value) > BLOCK_LIMITS.messageBlocksText) throw new Refusal('msg_blocks_too_long');
  return nameBlocks(value, ids);
}

function readAttachments(value: unknown, ids: Identifiers): readonly Json[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new Refusal('invalid_attachments');
  if (value.length > BLOCK_LIMITS.attachments) throw new Refusal('too_many_attachments');
  return objectsOf(value).map((attachment, index) => {
    const blocks = readBlocks(attachment['blocks'], ids, `/attachments/${index}/blocks`);
    return blocks ? { ...attachment, blocks } : attachment;
  });
}

function readMetadata(value: unknown): Metadata | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(value).length === 0) return undefined;
  const { event_type: type, event_payload: payload } = value;
  const extra = Object.keys(value).some((key) => !['event_type', 'event_payload', 'entities'].includes(key));
  if (typeof type !== 'string' || type === '' || !isObject(payload) || extra)
    throw new Refusal('invalid_metadata_schema');
  if (Buffer.byteLength(JSON.stringify(payload)) > BLOCK_LIMITS.metadataBytes)
    throw new Refusal('metadata_too_large');
  return { event_type: type, event_payload: payload };
}

/** @throws Refusal where Slack would refuse the content, but for its absence (see `needContent`). */
export function readContent(args: Arguments, ids: Identifiers): Content {
  const text = textOf(args.values['text']) ?? '';
  if (text.length > BLOCK_LIMITS.messageText) throw new Refusal('msg_too_long');
  return {
    text,
    blocks: readBlocks(args.json('blocks', 'invalid_blocks_format'), ids),
    attachments: readAttachments(args.json('attachments', 'invalid_attachments'), ids),
    metadata: readMetadata(args.json('metadata', 'invalid_metadata_format')),
  };
}

export function isEmpty(content: Content): boolean {
  return content.text === '' && !content.blocks?.length && !content.attachments?.length;
}

/** @throws Refusal `no_text` when there is nothing to show. */
export function needContent(args: Arguments, ids: Identifiers): Content {
  const content = readContent(args, ids);
  if (isEmpty(content)) throw new Refusal('no_text');
  return content;
}
