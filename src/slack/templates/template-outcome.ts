/**
 * The result of creating a template, and other notices of the builder: in the modal, or as a message if that
 * was closed. Pure.
 */
import type { ActionsBlock, ModalView } from '@slack/types';
import type { DraftId } from '../../ids.ts';
import type { TemplateInputError } from '../../templates/check-template.ts';
import { senderWarning } from '../../templates/prefill-form.ts';
import type { SubmitTemplateResult } from '../../templates/submissions.ts';
import {
  type CreatedTemplate,
  isCreationUncertain,
  type TemplateDraft,
  type TemplateRejection,
} from '../../templates/templates.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  capitalize,
  joinLines,
  noticeView,
  textMessage,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import {
  describeMarketplaceFailure,
  refusalAdviceText,
  refusalReasonText,
  unclearResponseText,
} from '../kit/words/marketplace-failure.ts';
import { fixedPriceText, hourlyRateText, visibilityText } from './template-details.ts';
import { locateRefusedFields, refusedFieldsText, templateInputErrorsText } from './template-errors.ts';
import { SENDER_NOT_ELIGIBLE_WARNING, TEMPLATE_BUILDER_TITLE } from './template-fields.ts';
import type { BuilderMetadata } from './template-values.ts';

const NAME = 80;
const KEPT = 'What you entered is saved as a draft.';

function theTemplate({ form }: TemplateDraft): string {
  const name = safeLine(form.name, NAME);
  return name ? `the template “${name}”` : 'the untitled template';
}

function reopen(draft: DraftId): ActionsBlock {
  return actionsBlock([buttonElement({ id: actionIds.templateOpen, label: 'Open Again', value: draft })]);
}

function senderText({ sender }: CreatedTemplate, { form }: TemplateDraft): string {
  const organization = safeLine(sender.organization ?? '', NAME);
  const type = safeLine(sender.type ?? '', 60);
  const known = safeLine(sender.name ?? '', NAME) || organization;
  const who = known || `organization ${safeLine(form.sender.organizationId, 20)}`;
  // A freelancer's organization has the freelancer's name.
  const more = [type, organization === who ? '' : organization].filter((word) => word !== '').join(' ');
  return `Sender: ${who}${more ? ` (${more})` : ''}`;
}

function createdMessage(draft: TemplateDraft, template: CreatedTemplate, opening?: string): Message {
  const { id, hourlyRate, fixedPrice, sender, visibility } = template;
  const seen = visibilityText(visibility ?? '');
  const name = safeLine(template.name ?? '', NAME) || safeLine(draft.form.name, NAME);
  const hourly = hourlyRateText(hourlyRate);
  const fixed = fixedPriceText(fixedPrice);
  const type = sender.type?.trim().toLowerCase() === 'freelancer' ? 'freelancer' : draft.form.sender.type;
  return textMessage(
    joinLines(
      opening,
      `:white_check_mark: *Template “${name}” created (#${id})*`,
      senderText(template, draft),
      hourly && `Hourly projects: ${hourly}`,
      fixed && `Fixed-price projects: ${fixed}`,
      visibility === undefined ? undefined : `Visible to: ${seen.charAt(0).toLowerCase()}${seen.slice(1)}`,
      senderWarning(draft.from?.senderType, type) && `:warning: ${SENDER_NOT_ELIGIBLE_WARNING}`,
      'Nothing bids with it yet. ' +
        `Assign it to an auto bidding setup in the dashboard, then check ${codeText('/gig setups')}. ` +
        'Edit it in the dashboard, too. ' +
        `Start another one like it with ${codeText(`/gig template from ${id}`)}.`,
    ),
  );
}

function nextText(refusal: TemplateRejection): string {
  const isSaid = refusal.serverMessage || Object.keys(refusal.fields ?? {}).length > 0;
  if (refusal.code === 'bad-request' && !isSaid)
    return "The marketplace didn't say what's wrong. Check the review, then try again.";
  if (refusal.code === 'not-found')
    return (
      'Check the sender, then try again. ' +
      'If this keeps happening, ask the person who runs Gigdesk to check the API address.'
    );
  return refusalAdviceText(refusal);
}

/** A refusal says nothing about an earlier attempt. */
const EARLIER =
  ':grey_question: *An earlier attempt has an unknown outcome and may have created it.* ' +
  "Check the templates in the marketplace dashboard first. If it's there, discard this draft. " +
  "The marketplace doesn't detect repeats, so another attempt may create a second template.";

function refusedMessage(draft: TemplateDraft, opening?: string): Message {
  const refusal: TemplateRejection = draft.refusal ?? { code: '' };
  // Errors about single fields show below.
  const reason = refusalReasonText({ ...refusal, fields: undefined });
  const head = isCreationUncertain(draft)
    ? `Attempt ${draft.attempt} to create ${theTemplate(draft)} was rejected`
    : `${capitalize(theTemplate(draft))} wasn't created`;
  return textMessage(
    joinLines(
      opening,
      `:no_entry_sign: *${head}:* ${reason}.`,
      refusedFieldsText(locateRefusedFields(draft)),
      nextText(refusal),
      isCreationUncertain(draft) ? EARLIER : undefined,
      KEPT,
    ),
    reopen(draft.id),
  );
}

const OF_OURS: Readonly<Record<string, string>> = {
  fault: 'something went wrong in Gigdesk after it was sent',
  interrupted: 'Gigdesk stopped while sending it',
};

function unknownHead(draft: TemplateDraft): string {
  const refusal: TemplateRejection = draft.refusal ?? { code: '' };
  const { code, serverMessage = '' } = refusal;
  const words = safeLine(serverMessage, 200);
  const answered = unclearResponseText(refusal);
  if (answered)
    return (
      `*${capitalize(answered)}, so we don't know if ${theTemplate(draft)} was ` +
      `created.*${words ? ` It said: “${words}”.` : ''}`
    );
  const own = Object.hasOwn(OF_OURS, code) ? OF_OURS[code] : undefined;
  const reason = `${own ?? describeMarketplaceFailure(code).what}${words ? `: “${words}”` : ''}`;
  return `*We don't know if ${theTemplate(draft)} was created:* ${reason}.`;
}

function sendingMessage(draft: TemplateDraft): Message {
  return textMessage(
    joinLines(
      `:hourglass_flowing_sand: *${capitalize(theTemplate(draft))} is being sent. ` +
        'Nothing was sent a second time.*',
      `The result appears where it was sent, and in ${codeText('/gig template drafts')}.`,
    ),
  );
}

/** The status of a draft that is being sent or was created. @param opening a line before it */
export function templateStateMessage(draft: TemplateDraft, opening?: string): Message {
  switch (draft.state) {
    case 'created':
      return draft.template ? createdMessage(draft, draft.template, opening) : sendingMessage(draft);
    case 'refused':
      return refusedMessage(draft, opening);
    case 'unknown':
      return textMessage(
        joinLines(
          opening,
          `:grey_question: ${unknownHead(draft)}`,
          "Check the templates in the marketplace dashboard first. If it's there, discard this draft. " +
            "If it isn't, open it again and create it. " +
            "The marketplace doesn't detect repeats, so nothing is retried automatically.",
          `${KEPT} Find it with ${codeText('/gig template drafts')}.`,
        ),
        reopen(draft.id),
      );
    case 'sending':
      return sendingMessage(draft);
    case 'open':
      return textMessage(
        `:pencil2: *Nothing was sent: ${theTemplate(draft)} has changed since you reviewed it.*\n` +
          'Open it again, check the review, then create it.',
        reopen(draft.id),
      );
  }
}

function mistakesMessage(draft: TemplateDraft, mistakes: readonly TemplateInputError[]): Message {
  return textMessage(
    joinLines(
      `:pencil2: *Nothing was sent: ${formatCount(mistakes.length, 'thing')} in ${theTemplate(draft)} ` +
        `${mistakes.length === 1 ? 'needs' : 'need'} fixing.*`,
      templateInputErrorsText(mistakes),
      KEPT,
    ),
    reopen(draft.id),
  );
}

/** Created, refused or unknown if the marketplace was called; else why nothing was sent. */
export function templateSubmitResultMessage(outcome: SubmitTemplateResult): Message {
  switch (outcome.kind) {
    case 'asked':
      return templateStateMessage(outcome.draft);
    case 'taken':
      return templateStateMessage(outcome.draft, 'Nothing was sent this time. Current state:');
    case 'mistakes':
      return mistakesMessage(outcome.draft, outcome.mistakes);
    case 'gone':
      return TEMPLATE_DRAFT_GONE;
  }
}

/** A failure on our side before anything was sent. @param failure the error message */
export function templateNotSentMessage(failure: Message, draft: DraftId): Message {
  return textMessage(
    joinLines(failure.text, 'Nothing was sent, and what you entered is saved.'),
    reopen(draft),
  );
}

/** The draft no longer exists, or is not this user's. */
export const TEMPLATE_DRAFT_GONE: Message = {
  text:
    "Couldn't find this draft. It was discarded, or it was unchanged for 60 days. " +
    `See your drafts with ${codeText('/gig template drafts')}, ` +
    `or start a new one with ${codeText('/gig template new')}.`,
};

export type TemplateNoticeLocation = Pick<BuilderMetadata, 'draft' | 'channel' | 'revision'>;

/** Actions in the view find the draft, and the channel whose roles apply. */
function at({ draft, channel, revision }: TemplateNoticeLocation, view: ModalView): ModalView {
  const place: BuilderMetadata = {
    draft,
    channel,
    revision,
    step: 'review',
    since: revision,
    inputs: [],
    typing: { organization: false, contractor: false },
    marks: false,
  };
  return { ...view, private_metadata: JSON.stringify(place) };
}

export function templateCreatingView(spot: TemplateNoticeLocation): ModalView {
  const words =
    ":hourglass_flowing_sand: Creating the template…\nYou can close this. We'll message you when it's done.";
  return at(spot, noticeView(TEMPLATE_BUILDER_TITLE, words));
}

/** A message in place of the modal. */
export function templateMessageView(
  { text, blocks }: Message,
  spot: TemplateNoticeLocation | undefined,
): ModalView {
  const view = noticeView(TEMPLATE_BUILDER_TITLE, blocks ?? text);
  return spot === undefined ? view : at(spot, view);
}

/** Slack's three seconds were over, or it did not answer. @param failure the error message */
export function templateNotOpenedMessage(failure: Message, { updatedAt }: TemplateDraft): Message {
  return {
    text:
      `${failure.text}\nYour draft from ${formatDate(updatedAt)} is saved. ` +
      `Open it with ${codeText('/gig template drafts')}.`,
  };
}

/** None of the input could be saved. Plain text, for an input's error. */
export const TEMPLATE_TEXTS_TOO_LONG =
  "Together, the texts are too long for a template, so this wasn't saved. Shorten what you typed last.";

/** The user acted on an outdated list. mrkdwn. */
export const TEMPLATE_ANSWERS_CHANGED =
  ":warning: The answers changed since you opened them, so your click did nothing. Here's the latest list.";

export const TEMPLATE_ANSWERS_FULL =
  ':warning: A template can have up to 50 answers. Remove one to add another.';

/** Plain text, for an input's error. */
export const TEMPLATE_ANSWER_NOT_SAVED =
  "This answer wasn't saved. The list changed in another window and now has 50 answers, the maximum. " +
  'Copy your text, close this window and remove another answer.';
