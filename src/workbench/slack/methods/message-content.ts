/** The text, blocks, attachments and metadata of a message from the app. */

import { assignBlockIds } from '../blocks/assign-block-ids.ts';
import { findMessageBlockProblems, totalTextLength } from '../blocks/block-rules.ts';
import { BLOCK_LIMITS } from '../blocks/limits.ts';
import { findRefusedBlocks } from '../blocks/refused-blocks.ts';
import { isJsonObject, objectsInList, stringOrUndefined } from '../json-reading.ts';
import type { Block, JsonObject, SlackMessageMetadata } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { SlackApiError } from '../web/slack-api-error.ts';

export interface MessageContent {
  readonly text: string;
  readonly blocks: readonly Block[] | undefined;
  readonly attachments: readonly JsonObject[] | undefined;
  readonly metadata: SlackMessageMetadata | undefined;
}

/** @throws SlackApiError `invalid_blocks` or `invalid_blocks_format` */
export function parseMessageBlocks(
  value: unknown,
  site: SlackSimulatorContext,
  at = '/blocks',
): readonly Block[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new SlackApiError('invalid_blocks_format');
  const refused = findRefusedBlocks(value, site.settings.refusedBlocks, at);
  if (refused) throw new SlackApiError('invalid_blocks', {}, refused);
  const problems = findMessageBlockProblems(value, at);
  if (problems.length > 0) throw new SlackApiError('invalid_blocks', {}, problems);
  if (totalTextLength(value) > BLOCK_LIMITS.messageBlocksText) throw new SlackApiError('msg_blocks_too_long');
  return assignBlockIds(value, site.ids);
}

function readAttachments(value: unknown, site: SlackSimulatorContext): readonly JsonObject[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new SlackApiError('invalid_attachments');
  if (value.length > BLOCK_LIMITS.attachments) throw new SlackApiError('too_many_attachments');
  return objectsInList(value).map((attachment, index) => {
    const blocks = parseMessageBlocks(attachment['blocks'], site, `/attachments/${index}/blocks`);
    return blocks ? { ...attachment, blocks } : attachment;
  });
}

function readMetadata(value: unknown): SlackMessageMetadata | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new SlackApiError('invalid_metadata_format');
  if (Object.keys(value).length === 0) return undefined;
  const { event_type: type, event_payload: payload } = value;
  const extra = Object.keys(value).some((key) => !['event_type', 'event_payload', 'entities'].includes(key));
  if (typeof type !== 'string' || type === '' || !isJsonObject(payload) || extra)
    throw new SlackApiError('invalid_metadata_schema');
  if (Buffer.byteLength(JSON.stringify(payload)) > BLOCK_LIMITS.metadataBytes)
    throw new SlackApiError('metadata_too_large');
  return { event_type: type, event_payload: payload };
}

/**
 * @throws SlackApiError for content that Slack would refuse, except missing content (see
 * `requireMessageContent`).
 */
export function parseMessageContent(args: CallArguments, site: SlackSimulatorContext): MessageContent {
  const text = stringOrUndefined(args.values['text']) ?? '';
  if (text.length > BLOCK_LIMITS.messageText) throw new SlackApiError('msg_too_long');
  return {
    text,
    blocks: parseMessageBlocks(args.json('blocks', 'invalid_blocks_format'), site),
    attachments: readAttachments(args.json('attachments', 'invalid_attachments'), site),
    metadata: readMetadata(args.json('metadata', 'invalid_metadata_format')),
  };
}

export function isContentEmpty(content: MessageContent): boolean {
  return content.text === '' && !content.blocks?.length && !content.attachments?.length;
}

/** @throws SlackApiError `no_text` when there is nothing to show. */
export function requireMessageContent(args: CallArguments, site: SlackSimulatorContext): MessageContent {
  const content = parseMessageContent(args, site);
  if (isContentEmpty(content)) throw new SlackApiError('no_text');
  return content;
}
