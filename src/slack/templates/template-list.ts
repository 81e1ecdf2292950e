/** A user's template drafts, for that user only. Pure. */
import type { KnownBlock } from '@slack/types';
import { MAX_OPEN_TEMPLATE_DRAFTS, TEMPLATE_DRAFT_RETENTION_MS } from '../../templates/drafts.ts';
import { isCreationUncertain, type TemplateDraft } from '../../templates/records.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration } from '../kit/numbers.ts';
import { refusalReasonText, unclearResponseText } from '../kit/words/marketplace-failure.ts';
import { findResumeStep } from './template-errors.ts';
import { STEP_TITLES } from './template-labels.ts';

/** Short, so that twenty drafts fit in a message. */
const NAME = 60;
const REASON = 70;

function stateText(draft: TemplateDraft): string | undefined {
  const { state, refusal, sentAt } = draft;
  const sent = sentAt === undefined ? '' : ` ${formatTimeAgo(sentAt)}`;
  switch (state) {
    case 'refused': {
      const { code = '', serverMessage } = refusal ?? {};
      const words = `refused${sent}: ${refusalReasonText({ code, serverMessage }, REASON)}`;
      return isCreationUncertain(draft)
        ? `:grey_question: ${words}. An earlier attempt has an unknown outcome: check the dashboard first`
        : `:no_entry_sign: ${words}`;
    }
    case 'unknown':
      return (
        `:grey_question: sent${sent}, ` +
        'outcome unknown ' +
        `(${unclearResponseText(refusal ?? {}) ?? 'no response from the marketplace'}): ` +
        'check the dashboard before you create it again'
      );
    case 'sending':
      return ':hourglass_flowing_sand: sending now';
    case 'open':
    case 'created':
      return undefined;
  }
}

function originText({ from }: TemplateDraft): string | undefined {
  if (!from) return undefined;
  const name = safeLine(from.name ?? '', NAME);
  return `from template ${name ? `“${name}” ` : ''}#${from.template}`;
}

/** Name, next step, status. mrkdwn. */
export function templateDraftText(draft: TemplateDraft): string {
  const step = findResumeStep(draft);
  const name = safeLine(draft.form.name, NAME);
  return joinLines(
    joinFacts(
      name ? `*${name}*` : '_untitled_',
      step === 'review' ? 'ready to review' : `next step: ${STEP_TITLES[step]}`,
    ),
    joinFacts(originText(draft), `updated ${formatTimeAgo(draft.updatedAt)}`),
    stateText(draft),
  );
}

function draftBlocks(draft: TemplateDraft): KnownBlock[] {
  const text = sectionBlock(templateDraftText(draft));
  if (draft.state === 'sending') return [text];
  const { id, form } = draft;
  const name = form.name.slice(0, NAME) || 'untitled draft';
  const resume = buttonElement({
    id: actionIds.templateOpen,
    label: 'Continue',
    value: id,
    accessibilityLabel: `Resume ${name}`,
  });
  const discard = buttonElement({
    id: actionIds.templateDiscard,
    label: 'Discard',
    value: id,
    accessibilityLabel: `Discard ${name}`,
    confirm: confirmDialog('Discard this draft?', 'This permanently deletes what you entered.', 'Discard'),
  });
  return [text, actionsBlock([resume, discard])];
}

/**
 * At most 43 blocks. @param opening the result of an action, or why no more drafts can be started; safe
 * mrkdwn
 */
export function templateDraftsMessage(drafts: readonly TemplateDraft[], opening?: string): Message {
  const title =
    drafts.length === 0
      ? `You have no template drafts. Start one with ${codeText('/gig template new')}.`
      : drafts.length === 1
        ? '*Your template draft*'
        : `*Your ${formatCount(drafts.length, 'template draft')}*, latest first`;
  const kept =
    `Only you see ${drafts.length === 1 ? 'it' : 'them'}. ` +
    `Drafts are deleted after ${formatDuration(TEMPLATE_DRAFT_RETENTION_MS)} without changes.`;
  return {
    text: opening ?? title,
    blocks: [
      ...(opening === undefined ? [] : [sectionBlock(opening)]),
      sectionBlock(title),
      ...drafts.slice(0, MAX_OPEN_TEMPLATE_DRAFTS).flatMap(draftBlocks),
      ...(drafts.length === 0 ? [] : [contextBlock(kept)]),
    ],
  };
}

/** No draft was started. @param drafts all drafts of the user */
export function tooManyDraftsMessage(drafts: readonly TemplateDraft[], most: number): Message {
  return templateDraftsMessage(
    drafts,
    ":no_entry_sign: *Couldn't start a draft: " +
      `you've reached the limit of ${formatCount(most, 'draft')}.* Discard one, then try again. ` +
      `See them with ${codeText('/gig template drafts')}.`,
  );
}

/** For the line above the list, after an action. mrkdwn. */
export function templateDraftDiscardedText(draft: TemplateDraft): string {
  const name = safeLine(draft.form.name, NAME);
  const which = name ? `The draft “${name}”` : 'The untitled draft';
  return draft.template
    ? `${which} was discarded. Template #${draft.template.id}, created from it, stays.`
    : `${which} was discarded.`;
}

export const DRAFT_BEING_SENT =
  ":hourglass_flowing_sand: This draft is being sent, so it wasn't discarded. Wait for the result.";

export const DRAFT_GONE_ALREADY = 'You no longer have this draft.';
