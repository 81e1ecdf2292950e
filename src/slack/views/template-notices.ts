/** What stands in the template builder while there is no step: it waits, or tells what came of it. Pure. */
import type { ModalView } from '@slack/types';
import type { TemplateDraft } from '../../templates/records.ts';
import { date } from '../blocks/mrkdwn.ts';
import { codeText } from '../messages/mistake.ts';
import { TEMPLATE_TITLE } from '../messages/template-words.ts';
import type { Message } from '../routes.ts';
import { noticeView } from './plain-view.ts';
import type { BuilderPlace } from './template-place.ts';

export type NoticeSpot = Pick<BuilderPlace, 'draft' | 'channel' | 'revision'>;

/** Presses in it find the draft, and the channel whose roles decide. */
function at({ draft, channel, revision }: NoticeSpot, view: ModalView): ModalView {
  const place: BuilderPlace = {
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

export function creatingView(spot: NoticeSpot): ModalView {
  const words =
    ":hourglass_flowing_sand: Creating the template…\nYou can close this. We'll message you when it's done.";
  return at(spot, noticeView(TEMPLATE_TITLE, words));
}

/** A message in the modal's place. */
export function templateMessageView({ text, blocks }: Message, spot: NoticeSpot | undefined): ModalView {
  const view = noticeView(TEMPLATE_TITLE, blocks ?? text);
  return spot === undefined ? view : at(spot, view);
}

/** Slack's three seconds were over, or it did not answer. @param failure what went wrong, as it is always told */
export function notOpenedMessage(failure: Message, { updatedAt }: TemplateDraft): Message {
  return {
    text: `${failure.text}\nYour draft from ${date(updatedAt)} is saved. Open it with ${codeText('/gig template drafts')}.`,
  };
}

/** Nothing of what was typed could be stored. Plain text, as an input's error. */
export const TEXTS_TOO_LONG =
  "Together, the texts are too long for a template, so this wasn't saved. Shorten what you typed last.";

/** The list on the screen was not the newest. mrkdwn. */
export const ANSWERS_CHANGED =
  ":warning: The answers changed since you opened them, so your click did nothing. Here's the latest list.";

export const ANSWERS_FULL = ':warning: A template can have up to 50 answers. Remove one to add another.';

/** Plain text, as an input's error. */
export const ANSWER_HAS_NO_PLACE =
  "This answer wasn't saved. The list changed in another window and now has 50 answers, the maximum. Copy your text, close this window and remove another answer.";
