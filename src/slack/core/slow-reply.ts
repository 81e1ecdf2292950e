/** The notice while a person waits for the marketplace or Slack, and the late answer's heading. */
import { SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { UserId } from '../../ids.ts';
import { contextBlock } from '../kit/block-builders.ts';
import { findMessageLimitProblems } from '../kit/check-limits.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import type { Message, Services } from './routes.ts';

/** A command as the user typed it. */
export function commandRequestLabel(word: string, args: string): string {
  return codeText(`${SLASH_COMMAND} ${word} ${args}`.trim(), 120);
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
export const PRICE_REQUEST_LABEL = '“Look Up”';

/** @param asked safe mrkdwn. @param acts whether it does something, rather than look something up */
export function slowReplyMessage(asked: string, acts = false): Message {
  const when = `This takes a moment. ${acts ? 'The result' : 'The answer'} will appear here.`;
  return { text: `:hourglass_flowing_sand: Working on ${asked}. ${when}` };
}

/** Puts the request before its answer, as far as Slack's limits allow. @param asked safe mrkdwn */
export function addRequestHeading(asked: string, message: Message): Message {
  const opening = `Answer to ${asked}:`;
  const { blocks } = message;
  const text = `${opening}\n${message.text}`;
  const named = { ...message, text, blocks: blocks && [contextBlock(opening), ...blocks] };
  return findMessageLimitProblems(named).length === 0 ? named : message;
}

/** Longer than an answer from the store takes, and shorter than people wait before they retry. */
const PATIENCE_MS = 2 * SECOND;

/** What a person is waiting for. */
export interface PendingWork {
  /** The heading of a late answer. Safe mrkdwn. */
  readonly pendingLabel: string;
  /** It changes something, rather than look something up. */
  readonly hasSideEffects?: boolean;
}

type Parts = Pick<Services, 'clock' | 'log'>;

/** A failed notice must not prevent the answer. */
async function tellOrLog({ log }: Parts, user: UserId, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (thrown) {
    log.warn('could not show a slow reply notice', { user, error: asError(thrown) });
  }
}

/** Runs possibly slow work. @param tell called once after 2 s if the work isn't done */
export async function withSlowNotice<T>(
  parts: Parts,
  user: UserId,
  tell: () => Promise<void>,
  run: () => Promise<T>,
): Promise<T> {
  let notice: Promise<void> | undefined;
  const callOff = parts.clock.runAfter(PATIENCE_MS, () => {
    notice = tellOrLog(parts, user, tell);
  });
  try {
    return await run();
  } finally {
    callOff();
    // The result must come after the notice.
    await notice;
  }
}

/** Tells a waiting person once that the answer takes longer; the late answer then names its request. */
export class SlowReplyNotice {
  readonly #parts: Parts;
  readonly #user: UserId;
  #asked = '';
  #callOff: () => void = () => undefined;
  #notice: Promise<void> | undefined;

  constructor(parts: Parts, user: UserId) {
    this.#parts = parts;
    this.#user = user;
  }

  /** Shows the notice after 2 s, unless there was an answer by then. */
  scheduleNotice(work: PendingWork, tell: (message: Message) => Promise<void>): void {
    const { pendingLabel, hasSideEffects } = work;
    this.#asked = pendingLabel;
    this.#callOff = this.#parts.clock.runAfter(PATIENCE_MS, () => {
      const message = slowReplyMessage(pendingLabel, hasSideEffects);
      this.#notice = tellOrLog(this.#parts, this.#user, () => tell(message));
    });
  }

  /** After a notice the answer follows as a new message and replaces none. */
  get wasShown(): boolean {
    return this.#notice !== undefined;
  }

  cancelNotice(): void {
    this.#callOff();
  }

  /** Prepares an answer to follow the notice: a slash command's `response_url` can't replace it. */
  async prepareReply(message: Message, to: 'ephemeral' | 'channel'): Promise<Message> {
    this.cancelNotice();
    await this.#notice;
    return this.#notice && to === 'ephemeral' ? addRequestHeading(this.#asked, message) : message;
  }
}
