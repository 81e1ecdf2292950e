/** What came of a template that somebody sent off: in the modal, or as a message when that was closed. Pure. */
import type { ActionsBlock } from '@slack/types';
import type { DraftId } from '../../ids.ts';
import type { Mistake } from '../../templates/checked.ts';
import { senderWarning } from '../../templates/choose-sender.ts';
import {
  type CreatedTemplate,
  isInDoubt,
  type Refusal,
  type TemplateDraft,
} from '../../templates/records.ts';
import type { TemplateOutcome } from '../../templates/templates.ts';
import { actionIds } from '../blocks/ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { actions, button, capital, lines, section } from './parts.ts';
import { afterRefusal, refusalWords } from './refusal-words.ts';
import { mistakesText, refusedFieldsText, refusedPlaces, thingsText } from './template-places.ts';
import { fixedPriceText, hourlyText } from './template-rates.ts';
import { NOT_ELIGIBLE, VISIBILITY_LABELS } from './template-words.ts';
import { describeTrouble } from './trouble.ts';
import { answeredText } from './unknown-words.ts';

const NAME = 80;
const KEPT = 'What you filled in is kept as a draft.';

function told(text: string, buttons?: ActionsBlock): Message {
  return { text, blocks: [section(text), ...(buttons ? [buttons] : [])] };
}

/** `the template “Calm”`. mrkdwn. */
function theTemplate({ form }: TemplateDraft): string {
  const name = safeLine(form.name, NAME);
  return name ? `the template “${name}”` : 'the template without a name';
}

function reopen(draft: DraftId, label = 'Open again'): ActionsBlock {
  return actions([button({ id: actionIds.templateOpen, label, value: draft })]);
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

function visibilityText({ visibility }: CreatedTemplate): string | undefined {
  if (visibility === undefined) return undefined;
  const known = Object.hasOwn(VISIBILITY_LABELS, visibility)
    ? VISIBILITY_LABELS[visibility as keyof typeof VISIBILITY_LABELS]
    : safeLine(visibility, 40);
  return `Visible to: ${known.charAt(0).toLowerCase()}${known.slice(1)}`;
}

function createdMessage(draft: TemplateDraft, template: CreatedTemplate, opening?: string): Message {
  const { id, hourlyRate, fixedPrice, sender } = template;
  const name = safeLine(template.name ?? '', NAME) || safeLine(draft.form.name, NAME);
  const hourly = hourlyText(hourlyRate);
  const fixed = fixedPriceText(fixedPrice);
  const type = sender.type?.trim().toLowerCase() === 'freelancer' ? 'freelancer' : draft.form.sender.type;
  return told(
    lines(
      opening,
      `:white_check_mark: *The template “${name}” is created: #${id}*`,
      senderText(template, draft),
      hourly && `Hourly jobs: ${hourly}`,
      fixed && `Fixed-price jobs: ${fixed}`,
      visibilityText(template),
      senderWarning(draft.from?.senderType, type) && `:warning: ${NOT_ELIGIBLE}`,
      `Nothing bids with it yet: assign it to an auto bidding setup in the dashboard, then ${codeText('/gig setups')} shows it there. Changes are made in the dashboard, too; ${codeText(`/gig template from ${id}`)} begins another like it.`,
    ),
  );
}

/** The marketplace's words on the whole; those on single fields stand below them, each at its place. */
function reasonText({ code, serverMessage }: Refusal): string {
  return refusalWords({ code, serverMessage });
}

function nextText(refusal: Refusal): string {
  const isSaid = refusal.serverMessage || Object.keys(refusal.fields ?? {}).length > 0;
  if (refusal.code === 'bad-request' && !isSaid)
    return 'It does not say what is wrong: look through the review, then try again.';
  if (refusal.code === 'not-found')
    return 'Check the sender, then try again; if it stays, whoever runs Gigdesk checks the address of the API.';
  return afterRefusal(refusal);
}

/** A refusal tells nothing of an attempt before it. */
const EARLIER =
  ":grey_question: *An earlier attempt has an unknown outcome, and may have created it.* Look at the templates in the marketplace's dashboard first: the marketplace does not recognise a repeat, so another attempt may make a second one. If it is there, discard this draft.";

function refusedHead(draft: TemplateDraft): string {
  if (!isInDoubt(draft)) return `${capital(theTemplate(draft))} was not created`;
  return `Attempt ${draft.attempt} at ${theTemplate(draft)} was refused`;
}

function refusedMessage(draft: TemplateDraft, opening?: string): Message {
  const refusal = draft.refusal ?? { code: '' };
  return told(
    lines(
      opening,
      `:no_entry_sign: *${refusedHead(draft)}:* ${reasonText(refusal)}.`,
      refusedFieldsText(refusedPlaces(draft)),
      nextText(refusal),
      isInDoubt(draft) ? EARLIER : undefined,
      KEPT,
    ),
    reopen(draft.id),
  );
}

const OF_OURS: Readonly<Record<string, string>> = {
  fault: 'something went wrong on our side after it was sent',
  interrupted: 'Gigdesk was stopped while it was sent',
};

function unknownReason({ code, serverMessage }: Refusal): string {
  const own = Object.hasOwn(OF_OURS, code) ? OF_OURS[code] : undefined;
  const words = safeLine(serverMessage ?? '', 200);
  return `${own ?? describeTrouble(code).what}${words ? `: “${words}”` : ''}`;
}

function unknownHead(draft: TemplateDraft): string {
  const refusal = draft.refusal ?? { code: '' };
  const answered = answeredText(refusal);
  if (!answered)
    return `*It is not known whether ${theTemplate(draft)} was created:* ${unknownReason(refusal)}.`;
  const words = safeLine(refusal.serverMessage ?? '', 200);
  return `*${capital(answered)}, so we don't know whether ${theTemplate(draft)} was created.*${words ? ` Its words: “${words}”.` : ''}`;
}

function unknownMessage(draft: TemplateDraft, opening?: string): Message {
  return told(
    lines(
      opening,
      `:grey_question: ${unknownHead(draft)}`,
      "Look at the templates in the marketplace's dashboard first. If it is there, discard this draft; if it is not, open it again and create it. The marketplace does not recognise a repeat, so nothing is sent again by itself.",
      `${KEPT} ${codeText('/gig template drafts')} lists it.`,
    ),
    reopen(draft.id),
  );
}

function openMessage(draft: TemplateDraft): Message {
  return told(
    `:pencil2: *Nothing was sent: ${theTemplate(draft)} has changed since you saw its review.*\nOpen it again, look at the review, then create it.`,
    reopen(draft.id),
  );
}

function sendingMessage(draft: TemplateDraft): Message {
  return told(
    lines(
      `:hourglass_flowing_sand: *${capital(theTemplate(draft))} is being sent just now; nothing was sent a second time.*`,
      `What comes of it is told where it was sent from, and by ${codeText('/gig template drafts')}.`,
    ),
  );
}

/** How a draft stands that is sent or done. @param opening a line before it */
export function templateStandingMessage(draft: TemplateDraft, opening?: string): Message {
  switch (draft.state) {
    case 'created':
      return draft.template ? createdMessage(draft, draft.template, opening) : sendingMessage(draft);
    case 'refused':
      return refusedMessage(draft, opening);
    case 'unknown':
      return unknownMessage(draft, opening);
    case 'sending':
      return sendingMessage(draft);
    case 'open':
      return openMessage(draft);
  }
}

function mistakesMessage(draft: TemplateDraft, mistakes: readonly Mistake[]): Message {
  return told(
    lines(
      `:pencil2: *Nothing was sent: ${thingsText(mistakes)} in ${theTemplate(draft)} ${mistakes.length === 1 ? 'has' : 'have'} to be put right.*`,
      mistakesText(mistakes),
      KEPT,
    ),
    reopen(draft.id),
  );
}

/** Created, refused or unknown where the marketplace was asked; else why nothing was sent. */
export function templateOutcomeMessage(outcome: TemplateOutcome): Message {
  switch (outcome.kind) {
    case 'asked':
      return templateStandingMessage(outcome.draft);
    case 'taken':
      return templateStandingMessage(outcome.draft, 'Nothing was sent this time. This is how it stands:');
    case 'mistakes':
      return mistakesMessage(outcome.draft, outcome.mistakes);
    case 'gone':
      return TEMPLATE_GONE;
  }
}

/** It failed on our side before anything was sent. @param failure what went wrong, as it is always told */
export function templateNotSentMessage(failure: Message, draft: DraftId): Message {
  return told(lines(failure.text, 'Nothing was sent, and what you filled in is kept.'), reopen(draft));
}

/** A draft that is nobody's any more, or not this person's. */
export const TEMPLATE_GONE: Message = {
  text: `I don't find this draft among yours: it was discarded, or nobody has touched it for 60 days. ${codeText('/gig template drafts')} lists yours, ${codeText('/gig template new')} begins another.`,
};
