/** Beginning a template, taking a draft up again, discarding it: from `/gig template` and from its lists. */
import { DraftId, type TemplateId } from '../../ids.ts';
import { MOST_DRAFTS } from '../../templates/drafts.ts';
import type { DraftStart } from '../../templates/templates.ts';
import { actionIds } from '../blocks/ids.ts';
import {
  keptDraftMessage,
  noSuchTemplateMessage,
  TEMPLATE_PRESS_OUTDATED,
} from '../messages/template-command.ts';
import { templateInFull } from '../messages/template-in-full.ts';
import {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  discardedText,
  templateDraftsMessage,
  tooManyDraftsMessage,
} from '../messages/template-list.ts';
import { templateName } from '../messages/template-notes.ts';
import { TEMPLATE_GONE } from '../messages/template-outcome.ts';
import { TEMPLATE_TITLE } from '../messages/template-words.ts';
import { readTemplateId } from '../messages/values.ts';
import type { ActionCall, ActionRoute, CommandCall, Message } from '../routes.ts';
import { loadingView, noticeView } from '../views/plain-view.ts';
import { describeFailure } from './bid-show.ts';
import { openTemplate, showTemplate } from './template-open.ts';
import { placeOfTemplate, showMessage } from './template-show.ts';

type Starting = Pick<CommandCall | ActionCall, 'services' | 'person' | 'channel' | 'triggerId' | 'answer'>;
type Drafts = Starting['services']['templates']['drafts'];

function tooMany({ drafts, most }: Extract<DraftStart, { kind: 'too-many' }>): Message {
  return tooManyDraftsMessage(drafts, most);
}

/** Opens an empty form, unless the person has too many drafts. */
export async function beginTemplate(call: Starting): Promise<void> {
  const start = await call.services.templates.drafts.create({ user: call.person.user });
  if (start.kind === 'too-many') return call.answer(tooMany(start));
  await openTemplate(call, start.draft);
}

/** Opens a view that waits, since the trigger does not outlive a request; then fills it in. */
export async function beginFrom(call: Starting, id: TemplateId): Promise<void> {
  const { services, person, triggerId } = call;
  const drafts = await services.templates.drafts.list(person.user);
  if (drafts.length >= MOST_DRAFTS) return call.answer(tooManyDraftsMessage(drafts, MOST_DRAFTS));
  const viewId = await services.slack.openView(triggerId, loadingView(TEMPLATE_TITLE));
  try {
    await readInto(call, viewId, id);
  } catch (thrown) {
    await tell(call, viewId, describeFailure(services, 'could not start from a template', thrown));
  }
}

async function readInto(call: Starting, viewId: string, id: TemplateId): Promise<void> {
  const { services, person } = call;
  const read = await services.templates.read(id);
  if (read.kind === 'failed') {
    if (read.why.code === 'not-found') return tell(call, viewId, noSuchTemplateMessage(id));
    return tell(call, viewId, describeFailure(services, 'could not load a template', read.why));
  }
  const start = await services.templates.drafts.create({ user: person.user, from: read.template });
  // Without the list: a press in this view would belong to no channel.
  if (start.kind === 'too-many') return tell(call, viewId, { text: tooMany(start).text });
  if (await showTemplate(call, viewId, start.draft)) return;
  await call.answer(keptDraftMessage(templateName({ template: id, name: read.template.name })));
}

/** Answers with the template in full; costs no credits. @throws MarketplaceError, but for a template that is not there. */
export async function showTemplateInFull(
  { services, answer }: Pick<CommandCall, 'services' | 'answer'>,
  id: TemplateId,
): Promise<void> {
  const read = await services.templates.read(id);
  if (read.kind === 'found') return answer(templateInFull(read.template));
  if (read.why.code === 'not-found') return answer(noSuchTemplateMessage(id));
  throw read.why;
}

function tell(call: Starting, viewId: string, message: Message): Promise<void> {
  const view = noticeView(TEMPLATE_TITLE, message.blocks ?? message.text);
  return showMessage(call, viewId, view, message);
}

/** In the view that was pressed, else in a new one. */
async function resume(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const id = DraftId.safeParse(call.value).data;
  const draft = id && (await services.templates.drafts.read({ user: person.user, draft: id }));
  if (!draft) return call.answer(TEMPLATE_GONE);
  if (view) await showTemplate(call, view.id, draft);
  else await openTemplate(call, draft);
}

async function discard(call: ActionCall): Promise<void> {
  const { services, person } = call;
  const { user } = person;
  const { drafts } = services.templates;
  const id = DraftId.safeParse(call.value).data;
  const done = id ? await drafts.discard({ user, draft: id }) : ({ kind: 'gone' } as const);
  await call.replace(templateDraftsMessage(await drafts.list(user), wordsOf(done)));
}

function wordsOf(done: Awaited<ReturnType<Drafts['discard']>>): string {
  switch (done.kind) {
    case 'discarded':
      return discardedText(done.draft);
    case 'closed':
      return DRAFT_BEING_SENT;
    case 'gone':
      return DRAFT_GONE_ALREADY;
  }
}

async function from(call: ActionCall): Promise<void> {
  const id = readTemplateId(call.value);
  await (id === undefined ? call.answer(TEMPLATE_PRESS_OUTDATED) : beginFrom(call, id));
}

export const templateDraftActions: readonly ActionRoute[] = [
  { id: actionIds.templateOpen, needs: 'bidder', place: placeOfTemplate, run: resume },
  { id: actionIds.templateDiscard, needs: 'bidder', run: discard },
  { id: actionIds.templateFrom, needs: 'bidder', run: from },
];
