/** The template builder without a step: loading, or the result of an action. Pure. */
import type { ModalView } from '@slack/types';
import type { TemplateDraft } from '../../templates/records.ts';
import type { Message } from '../core/routes.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { noticeView } from '../kit/notice-view.ts';
import { codeText } from '../kit/query-error.ts';
import { TEMPLATE_BUILDER_TITLE } from './template-labels.ts';
import type { BuilderMetadata } from './template-metadata.ts';

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
