/** What is told while somebody waits for the marketplace, or for Slack, and how an answer that took long begins. Pure. */
import { messageProblems } from '../blocks/check-limits.ts';
import { COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { context } from './parts.ts';

const LONGEST_COMMAND = 120;

/** A command as it was typed. */
export function askedByCommand(word: string, args: string): string {
  return codeText(`${COMMAND} ${word} ${args}`.trim(), LONGEST_COMMAND);
}

/** The shortcut by its name in Slack's menu. */
export const ASKED_BY_SHORTCUT = '“Look up project”';

/** Buttons by what stands on them. */
export const ASKED_BY_DETAILS = '“Details”';
export const ASKED_BY_PROJECTS = '“Projects”';
export const ASKED_BY_NEXT = '“Next”';
export const ASKED_BY_PREVIOUS = '“Previous”';
export const ASKED_BY_REFRESH = '“Refresh”';
export const ASKED_BY_PROPOSAL = '“Proposal”';
export const ASKED_BY_CHECK = '“Check”';
export const ASKED_BY_APPROVE = '“Approve”';
export const ASKED_BY_SHARE = '“Share to Channel”';

/** @param asked harmless mrkdwn. @param acts it does something, rather than look something up */
export function waitingMessage(asked: string, acts = false): Message {
  const end = acts ? 'The result' : 'The answer';
  return {
    text: `:hourglass_flowing_sand: Working on ${asked}. This takes a moment. ${end} will appear here.`,
  };
}

/** An answer with what it answers before it, as far as Slack's limits let it. @param asked harmless mrkdwn */
export function afterWaiting(asked: string, message: Message): Message {
  const opening = `Answer to ${asked}:`;
  const { blocks } = message;
  const named = {
    ...message,
    text: `${opening}\n${message.text}`,
    ...(blocks ? { blocks: [context(opening), ...blocks] } : {}),
  };
  return messageProblems(named).length === 0 ? named : message;
}
