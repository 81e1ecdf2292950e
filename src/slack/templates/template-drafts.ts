/** A user's template drafts: starts, opens, lists, resumes and discards them, for commands and buttons. */

import type { KnownBlock } from '@slack/types';
import { DraftId, type TemplateId } from '../../ids.ts';
import { type DiscardDraftResult, MAX_OPEN_TEMPLATE_DRAFTS } from '../../templates/drafts.ts';
import type { TemplateStep } from '../../templates/form.ts';
import {
  isCreationUncertain,
  isTemplateDraftLocked,
  TEMPLATE_DRAFT_RETENTION_MS,
  type TemplateDraft,
} from '../../templates/templates.ts';
import { SlackCallError } from '../core/errors.ts';
import { logAndDescribeFailure } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  joinFacts,
  joinLines,
  loadingView,
  noticeView,
  sectionBlock,
} from '../kit/block-builders.ts';
import { parseTemplateId } from '../kit/button-values.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration } from '../kit/numbers.ts';
import { refusalReasonText, unclearResponseText } from '../kit/words/marketplace-failure.ts';
import { sourceTemplateText, templateDetailsMessage } from './template-details.ts';
import { findResumeStep } from './template-errors.ts';
import { STEP_TITLES, TEMPLATE_BUILDER_TITLE } from './template-fields.ts';
import { type BuilderFacts, builderView } from './template-form.ts';
import { TEMPLATE_DRAFT_GONE, templateNotOpenedMessage } from './template-outcome.ts';
import {
  lockedDraftView,
  readSendersOrStartLoading,
  readTemplateChannel,
  refreshStepWithSenders,
  showMessageInView,
  showTemplateStep,
} from './template-show.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'triggerId' | 'person' | 'channel' | 'answer'>;

/**
 * Opens the builder at once: the trigger expires after 3 s, so no request comes first. If Slack doesn't open
 * it, the person learns how to return to the draft.
 * @param step by default where the draft resumes
 */
export async function openTemplateBuilder(
  call: Opening,
  draft: TemplateDraft,
  step: TemplateStep = findResumeStep(draft),
): Promise<void> {
  const { services, channel, triggerId } = call;
  const spot = { channel, step };
  const senders = await readSendersOrStartLoading(call, spot);
  const facts: BuilderFacts = { draft, location: spot, senders };
  const view = isTemplateDraftLocked(draft) ? lockedDraftView(draft, channel) : builderView(facts);
  let viewId: string;
  try {
    viewId = await services.slack.openView(triggerId, view);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    const failure = logAndDescribeFailure(services, 'could not open the template builder', thrown);
    return call.answer(templateNotOpenedMessage(failure, draft));
  }
  if (!isTemplateDraftLocked(draft) && senders.kind === 'loading')
    await refreshStepWithSenders(call, viewId, facts, view);
}

/** Shows the builder in an open view. @returns false when the person has closed it */
function showTemplateBuilder(
  call: Pick<Opening, 'services' | 'person' | 'channel'>,
  viewId: string,
  draft: TemplateDraft,
): Promise<boolean> {
  return showTemplateStep(call, viewId, draft, { channel: call.channel, step: findResumeStep(draft) });
}

/** Reading single templates is documented by name only. Source: docs/marketplace-api.md, Endpoints. */
export function noSuchTemplateMessage(id: TemplateId): Message {
  return {
    text: joinLines(
      `Couldn't find template #${id} in the marketplace. ` +
        `Check the ID with ${codeText(`${SLASH_COMMAND} setups`)} or in the marketplace's dashboard.`,
      "If this happens with every ID, the marketplace doesn't let Gigdesk read templates. " +
        `You can still create one: ${codeText(`${SLASH_COMMAND} template new`)}.`,
    ),
  };
}

/** Opens an empty form, unless the person has too many drafts. */
export async function startTemplateDraft(call: Opening): Promise<void> {
  const start = await call.services.templates.drafts.create({ user: call.person.user });
  if (start.kind === 'too-many') return call.answer(tooManyDraftsMessage(start.drafts));
  await openTemplateBuilder(call, start.draft);
}

/** Opens a waiting view, since the trigger doesn't outlive a request; then fills it in. */
export async function startDraftFromTemplate(call: Opening, id: TemplateId): Promise<void> {
  const { services, person, triggerId } = call;
  const drafts = await services.templates.drafts.list(person.user);
  if (drafts.length >= MAX_OPEN_TEMPLATE_DRAFTS) return call.answer(tooManyDraftsMessage(drafts));
  const viewId = await services.slack.openView(triggerId, loadingView(TEMPLATE_BUILDER_TITLE));
  try {
    await readInto(call, viewId, id);
  } catch (thrown) {
    await showText(call, viewId, logAndDescribeFailure(services, 'could not start from a template', thrown));
  }
}

async function readInto(call: Opening, viewId: string, id: TemplateId): Promise<void> {
  const { services, person } = call;
  const read = await services.templates.fetchTemplate(id);
  if (read.kind === 'failed') {
    if (read.why.code === 'not-found') return showText(call, viewId, noSuchTemplateMessage(id));
    return showText(call, viewId, logAndDescribeFailure(services, 'could not load a template', read.why));
  }
  const start = await services.templates.drafts.create({ user: person.user, from: read.template });
  // Without the list: a press in this view would have no channel.
  if (start.kind === 'too-many')
    return showText(call, viewId, { text: tooManyDraftsMessage(start.drafts).text });
  if (await showTemplateBuilder(call, viewId, start.draft)) return;
  const name = sourceTemplateText({ template: id, name: read.template.name });
  await call.answer({
    text:
      `You closed the form before ${name} loaded. It's saved as a draft. ` +
      `Find it with ${codeText(`${SLASH_COMMAND} template drafts`)}.`,
  });
}

/**
 * Replies with the full template; costs no credits. @throws MarketplaceError, except for a missing template.
 */
export async function replyWithFullTemplate(
  { services, answer }: Pick<CommandCall, 'services' | 'answer'>,
  id: TemplateId,
): Promise<void> {
  const read = await services.templates.fetchTemplate(id);
  if (read.kind === 'found') return answer(templateDetailsMessage(read.template));
  if (read.why.code === 'not-found') return answer(noSuchTemplateMessage(id));
  throw read.why;
}

function showText(call: Opening, viewId: string, message: Message): Promise<void> {
  const view = noticeView(TEMPLATE_BUILDER_TITLE, message.blocks ?? message.text);
  return showMessageInView(call, viewId, view, message);
}

async function resume(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const id = DraftId.safeParse(call.value).data;
  const draft = id && (await services.templates.drafts.read({ user: person.user, draft: id }));
  if (!draft) return call.answer(TEMPLATE_DRAFT_GONE);
  if (view) await showTemplateBuilder(call, view.id, draft);
  else await openTemplateBuilder(call, draft);
}

async function discard(call: ActionCall): Promise<void> {
  const { services, person } = call;
  const { user } = person;
  const { drafts } = services.templates;
  const id = DraftId.safeParse(call.value).data;
  const done = id ? await drafts.discard({ user, draft: id }) : ({ kind: 'gone' } as const);
  await call.replace(templateDraftsMessage(await drafts.list(user), wordsOf(done)));
}

function wordsOf(done: DiscardDraftResult): string {
  switch (done.kind) {
    case 'discarded':
      return templateDraftDiscardedText(done.draft);
    case 'closed':
      return DRAFT_BEING_SENT;
    case 'gone':
      return DRAFT_GONE_ALREADY;
  }
}

async function from(call: ActionCall): Promise<void> {
  const id = parseTemplateId(call.value);
  if (id !== undefined) return startDraftFromTemplate(call, id);
  const command = codeText(`${SLASH_COMMAND} template from <id>`);
  await call.answer({
    text: `This button is out of date, so nothing was started. Use ${command} instead.`,
  });
}

export const templateDraftActions: readonly ActionRoute[] = [
  { id: actionIds.templateOpen, needs: 'bidder', findChannel: readTemplateChannel, run: resume },
  { id: actionIds.templateDiscard, needs: 'bidder', run: discard },
  { id: actionIds.templateFrom, needs: 'bidder', run: from },
];

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

/** Name, next step, status. mrkdwn. */
export function templateDraftText(draft: TemplateDraft): string {
  const { from } = draft;
  const step = findResumeStep(draft);
  const name = safeLine(draft.form.name, NAME);
  const fromName = safeLine(from?.name ?? '', NAME);
  return joinLines(
    joinFacts(
      name ? `*${name}*` : '_untitled_',
      step === 'review' ? 'ready to review' : `next step: ${STEP_TITLES[step]}`,
    ),
    joinFacts(
      from && `from template ${fromName ? `“${fromName}” ` : ''}#${from.template}`,
      `updated ${formatTimeAgo(draft.updatedAt)}`,
    ),
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
export function tooManyDraftsMessage(drafts: readonly TemplateDraft[]): Message {
  return templateDraftsMessage(
    drafts,
    ":no_entry_sign: *Couldn't start a draft: " +
      `you've reached the limit of ${formatCount(MAX_OPEN_TEMPLATE_DRAFTS, 'draft')}.* ` +
      `Discard one, then try again. See them with ${codeText('/gig template drafts')}.`,
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
