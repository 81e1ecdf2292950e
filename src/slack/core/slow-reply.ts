/**
 * The notice shown while a user waits for the marketplace or Slack, and the heading of a late answer. Pure.
 */

import { contextBlock } from '../kit/block-builders.ts';
import { findMessageLimitProblems } from '../kit/check-limits.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/query-error.ts';
import type { Message } from './routes.ts';

const LONGEST_COMMAND = 120;

/** A command as the user typed it. */
export function commandRequestLabel(word: string, args: string): string {
  return codeText(`${SLASH_COMMAND} ${word} ${args}`.trim(), LONGEST_COMMAND);
}

/** The shortcut's name in Slack's menu. */
export const SHORTCUT_REQUEST_LABEL = '“Look up project”';

/** Buttons by their label. */
export const DETAILS_REQUEST_LABEL = '“Details”';
export const PROJECTS_REQUEST_LABEL = '“Projects”';
export const NEXT_REQUEST_LABEL = '“Next”';
export const PREVIOUS_REQUEST_LABEL = '“Previous”';
export const REFRESH_REQUEST_LABEL = '“Refresh”';
export const PROPOSAL_REQUEST_LABEL = '“Proposal”';
export const CHECK_REQUEST_LABEL = '“Check”';
export const APPROVE_REQUEST_LABEL = '“Approve”';
export const SHARE_REQUEST_LABEL = '“Share to Channel”';

/** @param asked safe mrkdwn. @param acts whether it does something, rather than look something up */
export function slowReplyMessage(asked: string, acts = false): Message {
  const end = acts ? 'The result' : 'The answer';
  return {
    text: `:hourglass_flowing_sand: Working on ${asked}. This takes a moment. ${end} will appear here.`,
  };
}

/** Puts the request before its answer, as far as Slack's limits allow. @param asked safe mrkdwn */
export function addRequestHeading(asked: string, message: Message): Message {
  const opening = `Answer to ${asked}:`;
  const { blocks } = message;
  const named = {
    ...message,
    text: `${opening}\n${message.text}`,
    ...(blocks ? { blocks: [contextBlock(opening), ...blocks] } : {}),
  };
  return findMessageLimitProblems(named).length === 0 ? named : message;
}
