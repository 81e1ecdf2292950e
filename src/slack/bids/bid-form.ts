/**
 * The bid modal, with its form or a notice in its place. An input keeps its ID while it means the same, so
 * that the user's text survives updates. Pure.
 */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { formatDraftRevision } from '../../bidding/bid-drafts.ts';
import { BID_FORM_LIMITS } from '../../bidding/validate-bid-form.ts';
import type { DraftId } from '../../ids.ts';
import type { AnsweredLetter } from '../../proposals/create-search.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  actionsBlocks,
  buttonElement,
  capitalize,
  joinFacts,
  joinLines,
  loadingView,
  noticeView,
  plainTextObject,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { dateTimeInput } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { clipToJsonBytes, longTextInputs } from '../kit/long-text.ts';
import { cleanLine, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { outcomeEmoji, outcomeLabel } from '../kit/words/labels.ts';
import {
  bidFieldBlockId,
  bidInputs,
  countLetterInputs,
  findAnswersWithoutInput,
  needsJobId,
  needsProjectId,
  priceInputs,
  shownQuestions,
} from './bid-fields.ts';
import type { BidFormFacts } from './bid-form-facts.ts';
import { templatePreviewBlocks } from './bid-form-preview.ts';
import { setupBlocks } from './bid-form-setup.ts';
import { bidFormTopBlocks } from './bid-form-top.ts';

const BID_TITLE = 'Bid on Project';

/** In bytes: 500 plain characters, the marketplace's own maximum. More would use up the room for answers. */
const HEAVIEST_QUESTION = 520;

const ROOM = 'Add More Space';

function whenInputs({ draft }: BidFormFacts): InputBlock[] {
  const choice = bidInputs(draft, 'when');
  const { at } = draft.form;
  switch (draft.form.when) {
    case 'as-set-up':
      return choice;
    case 'in-minutes':
      return [...choice, ...bidInputs(draft, 'inMinutes')];
    case 'at':
      return [
        ...choice,
        dateTimeInput({
          id: bidFieldBlockId('at', draft.afresh),
          label: 'Date and time',
          hint: "In your time zone. The bid uses exactly this time instead of the setup's schedule.",
          // A picker takes Unix seconds of ten digits.
          initial: at !== undefined && at >= 1e12 && at < 1e13 ? at : undefined,
        }),
      ];
  }
}

/** The project ID alone comes at the end: it is a correction. */
function idInputs({ draft }: BidFormFacts, place: 'top' | 'end'): InputBlock[] {
  const isTop = needsJobId(draft);
  if (isTop !== (place === 'top')) return [];
  return [
    ...(isTop ? bidInputs(draft, 'marketplaceJobId') : []),
    ...(needsProjectId(draft) ? bidInputs(draft, 'projectId') : []),
  ];
}

/** The API's documented limit for a template's letter; it documents none for a job's own letter. */
const TEMPLATE_LETTER = 5_000;

/** When a text is too long for one input, Slack reports that input's limit, which is not the letter's. */
function letterHint(hasRoom: boolean): string {
  const most =
    "Leave empty to use the setup's template. " +
    `Up to ${formatNumber(BID_FORM_LIMITS.letter)} characters; ` +
    `the marketplace may reject more than ${formatNumber(TEMPLATE_LETTER)}`;
  return hasRoom
    ? `${most}.`
    : `${most}. Over ${formatNumber(slackLimits.plainTextInput.max)}? Press “${ROOM}”.`;
}

function keptBlock(question: string, answer: string): KnownBlock {
  return plainTextSection(
    `${question}\nYour answer (${formatNumber(answer.length)} characters) is saved and will be sent. ` +
      "There isn't room to show it here.",
  );
}

function answerBlocks({ draft }: BidFormFacts): KnownBlock[] {
  const questions = shownQuestions(draft);
  if (questions.length === 0) return [];
  const more = (draft.questions?.length ?? 0) - questions.length;
  const words =
    "*Screening questions.* Answer all of them, or leave them all empty to let the setup's template answer.";
  const left = `The project has ${formatNumber(more)} more that don't fit here.`;
  const kept = findAnswersWithoutInput(draft);
  return [
    sectionBlock(more > 0 ? `${words} ${left} You can't answer those from Slack.` : words),
    ...questions.flatMap((question, place): KnownBlock[] => {
      const label = clipToJsonBytes(cleanLine(question), HEAVIEST_QUESTION) || `Question ${place + 1}`;
      const text = draft.form.answers[place] ?? '';
      if (kept.has(place)) return [keptBlock(label, text)];
      const id = bidFieldBlockId(`answer:${place}`, draft.afresh);
      return longTextInputs({ id, label, text, parts: draft.parts, optional: true });
    }),
  ];
}

const LONGEST_LETTER_TITLE = 150;
const FIRST_WORDS = 200;

function letterRow({ proposal, shared }: AnsweredLetter): KnownBlock {
  const { id, jobTitle = '', submittedAt, coverLetter } = proposal;
  const outcome = proposal.hired ? 'hired' : 'interviewed';
  // Slack can't show a moment before 1970.
  const sent = submittedAt !== undefined && submittedAt >= 0 && `sent ${formatTimeAgo(submittedAt)}`;
  const words = joinLines(
    `*${safeLine(jobTitle, LONGEST_LETTER_TITLE) || `Proposal ${id}`}*`,
    joinFacts(
      `${outcomeEmoji([outcome])} ${capitalize(outcomeLabel(outcome))}`,
      sent || undefined,
      `also about ${safeLine(shared.join(', '), 120)}`,
    ),
    `“${safeLine(coverLetter, FIRST_WORDS)}”`,
  );
  const title = cleanLine(jobTitle) || `proposal ${id}`;
  return sectionBlock(
    words,
    buttonElement({
      id: actionIds.bidUseLetter,
      label: 'Use Letter',
      value: String(id),
      accessibilityLabel: `Use the letter for ${title}`,
    }),
  );
}

/** The letter that an inserted one replaced can come back. */
function insertedBlocks({ draft: { insertedLetter } }: BidFormFacts): KnownBlock[] {
  if (!insertedLetter) return [];
  const words = 'The letter below is inserted. Change it to fit this project before you send it.';
  if (insertedLetter.replaced === undefined) return [sectionBlock(words)];
  const swap = buttonElement({ id: actionIds.bidSwapLetter, label: 'Swap Letters', value: 'swap' });
  return [sectionBlock(`${words} Your previous letter is kept.`, swap)];
}

/** Above the letter's input: our similar proposals that got an answer. */
function answeredLetterBlocks(facts: BidFormFacts): KnownBlock[] {
  const { letters = [] } = facts;
  const head = '*Start from a letter that worked.* Similar proposals that led to an interview or a hire:';
  const offered = letters.length > 0 ? [sectionBlock(head), ...letters.map(letterRow)] : [];
  return [...offered, ...insertedBlocks(facts)];
}

/** The full form with the draft's values. There must be a setup to choose. */
export function bidFormView(facts: BidFormFacts): ModalView {
  const { draft } = facts;
  const moreSpace = buttonElement({ id: actionIds.bidMoreSpace, label: ROOM, value: 'more-room' });
  return {
    type: 'modal',
    callback_id: viewIds.bid,
    private_metadata: formatDraftRevision(draft),
    notify_on_close: true,
    title: plainTextObject(BID_TITLE),
    submit: plainTextObject('Send Bid'),
    close: plainTextObject('Close'),
    blocks: [
      ...bidFormTopBlocks(facts),
      ...idInputs(facts, 'top'),
      ...setupBlocks(facts),
      ...templatePreviewBlocks(facts),
      ...priceInputs(facts),
      ...whenInputs(facts),
      ...answeredLetterBlocks(facts),
      ...bidInputs(draft, 'coverLetter', {
        hint: letterHint(draft.parts > 1),
        parts: countLetterInputs(draft),
      }),
      ...answerBlocks(facts),
      ...actionsBlocks(draft.parts > 1 ? [] : [moreSpace]),
      ...idInputs(facts, 'end'),
    ],
  };
}

/** Actions in the view find the draft, and with it the channel whose roles apply. */
function ofDraft(view: ModalView, draft: DraftId | undefined): ModalView {
  return draft === undefined ? view : { ...view, private_metadata: draft };
}

export function bidLoadingView(draft: DraftId): ModalView {
  return ofDraft(loadingView(BID_TITLE), draft);
}

/** @param failure why the setups could not be read; missing: there are none */
export function noSetupsView(draft: DraftId, failure?: Message): ModalView {
  const words = failure
    ? `${failure.text}\nCouldn't load the auto bidding setups, and a bid needs one.`
    : 'The marketplace account has no auto bidding setups, and a bid needs one. ' +
      "Create one in the marketplace's dashboard, then press Reload.";
  const reload = buttonElement({ id: actionIds.bidReload, label: 'Reload', value: draft });
  return ofDraft(noticeView(BID_TITLE, [sectionBlock(words), actionsBlock([reload])]), draft);
}

export function bidSendingView(draft: DraftId): ModalView {
  const words =
    ':hourglass_flowing_sand: Sending your bid…\nYou can close this. The result also appears in the thread.';
  return ofDraft(noticeView(BID_TITLE, words), draft);
}

/** A message in place of the modal. */
export function bidMessageView({ text, blocks }: Message, draft: DraftId | undefined): ModalView {
  return ofDraft(noticeView(BID_TITLE, blocks ?? text), draft);
}

export function bidCheckingView(draft: DraftId | undefined): ModalView {
  return ofDraft(noticeView(BID_TITLE, ':mag: Checking whether this bid exists…'), draft);
}
