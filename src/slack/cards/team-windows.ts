/** The windows that assign a card to a colleague, and that write a note on it. */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { MAX_CARD_NOTES, MAX_NOTE_LENGTH } from '../../feed/card-teamwork.ts';
import type { CardData } from '../../feed/feed.ts';
import { ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { CARD_GONE, findPostLink, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { checkChannelVisibility, readClaimer } from '../core/user-channels.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  noticeView,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput, userInput } from '../kit/inputs.ts';
import { channelLink, cleanText, formatMention, safeText } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { claimElsewhereText } from '../kit/words/claims.ts';
import { projectAlreadyClaimedMessage } from './card-questions.ts';
import {
  type CardWindow,
  cardWindowRoute,
  cardWindows,
  findPressedWindow,
  readWindowCard,
  WINDOW_OUTDATED,
} from './card-window.ts';

const fields = { assignee: 'assignee', note: 'note' } as const;
const ASSIGN_TITLE = 'Assign Project';
const NOTE_TITLE = 'Add Note';

export function assignView(window: CardWindow, { seen }: CardData): ModalView {
  return {
    type: 'modal',
    callback_id: viewIds.cardAssign,
    private_metadata: window.id,
    title: plainTextObject(ASSIGN_TITLE),
    submit: plainTextObject('Assign'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${projectLink(seen.project)}*`),
      userInput({
        id: fields.assignee,
        label: 'Assign to',
        placeholder: 'Choose a colleague',
        hint: 'Claims the project for them. They get one direct message about it.',
      }),
    ],
  };
}

export function noteView(window: CardWindow, { seen, card }: CardData): ModalView {
  const hasOwn = card.notes?.some(({ by }) => by === window.user);
  const remove = buttonElement({ id: actionIds.noteRemove, label: 'Delete Last Note', value: 'last' });
  return {
    type: 'modal',
    callback_id: viewIds.cardNote,
    private_metadata: window.id,
    title: plainTextObject(NOTE_TITLE),
    submit: plainTextObject('Save'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${projectLink(seen.project)}*`),
      textInput({
        id: fields.note,
        label: 'Note',
        hint: 'Everyone in this channel sees it on the card, with your name.',
        multiline: true,
        maxLength: MAX_NOTE_LENGTH,
      }),
      ...actionsBlocks(hasOwn ? [remove] : []),
      ...(hasOwn ? [contextBlock('Deletes the newest note that you wrote here.')] : []),
    ],
  };
}

export async function openAssignWindow(call: ActionCall, card: CardData): Promise<void> {
  const window = await cardWindows.save(call, { project: card.card.project });
  await call.services.slack.openView(call.triggerId, assignView(window, card));
}

export async function openNoteWindow(call: ActionCall, card: CardData): Promise<void> {
  const window = await cardWindows.save(call, { project: card.card.project });
  await call.services.slack.openView(call.triggerId, noteView(window, card));
}

/** Why the colleague can't get a card of the channel, as safe mrkdwn; undefined: they can. */
async function findAssigneeRefusal(call: ViewSubmissionCall, to: UserId): Promise<string | undefined> {
  const { services, channel } = call;
  const name = formatMention(to);
  if (isDirectMessage(channel)) return "Cards in a direct message can't be assigned.";
  const person = await services.resolvePerson(to, channel);
  const unsure = `Couldn't check if ${name} can see this channel. Nothing changed. Try again in a minute.`;
  if (person.unsure) return unsure;
  if (!hasRoleAtLeast(person.role, 'viewer'))
    return (
      `Couldn't assign this to ${name}: guests, apps and people from other workspaces can only read. ` +
      'Choose a full member of this workspace.'
    );
  const reader = { services, person, channel: ChannelId.parse(to) };
  const sight = await checkChannelVisibility(reader, channel);
  if (sight === 'unsure') return unsure;
  return sight === 'open'
    ? undefined
    : `Couldn't assign this to ${name}: they aren't in ${channelLink(channel)}. Invite them, then try again.`;
}

async function assign(call: ViewSubmissionCall, window: CardWindow, to: UserId): Promise<void> {
  const { services, person } = call;
  const { channel, project } = window;
  const card = await readWindowCard(call, window);
  if (!card) return call.answer(CARD_GONE);
  const refusal = to === person.user ? undefined : await findAssigneeRefusal(call, to);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const outcome = await services.feed.assignProject(channel, project, {
    to,
    ...(await readClaimer(call, channel)),
    mayReassign: hasRoleAtLeast(person.role, 'admin'),
    title: card.seen.project.title,
    link: await findPostLink(services, channel, project),
  });
  switch (outcome.kind) {
    case 'assigned': {
      const { elsewhere } = outcome;
      if (!elsewhere) return;
      const isPublic = (await checkChannelVisibility(call, elsewhere.channel)) === 'open';
      return call.answer({ text: `Assigned. ${claimElsewhereText({ ...elsewhere, isPublic })}, too.` });
    }
    case 'same':
      return call.answer({ text: `${formatMention(to)} has this project already.` });
    case 'held':
      return call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
    case 'no-card':
      return call.answer(CARD_GONE);
  }
}

export const assignWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardAssign, ASSIGN_TITLE, (values) => {
  const to = values.get(fields.assignee)?.users?.[0];
  if (to === undefined) return { errors: { [fields.assignee]: 'Choose a colleague.' } };
  return { run: (call, window) => assign(call, window, to) };
});

async function addNote(call: ViewSubmissionCall, window: CardWindow, text: string): Promise<void> {
  const { channel, project } = window;
  const outcome = await call.services.feed.addCardNote(channel, project, { by: call.person.user, text });
  if (outcome === 'no-card') return call.answer(CARD_GONE);
  if (outcome === 'full')
    await call.answer({
      text:
        `This card has ${MAX_CARD_NOTES} notes, which is the limit. ` +
        `Your note wasn't saved: “${safeText(text, 1_500)}”`,
    });
}

export const noteWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardNote, NOTE_TITLE, (values) => {
  const text = cleanText(values.get(fields.note)?.text ?? '');
  if (text === '') return { errors: { [fields.note]: 'Write a note.' } };
  if (text.length > MAX_NOTE_LENGTH)
    return { errors: { [fields.note]: `A note can have up to ${MAX_NOTE_LENGTH} characters.` } };
  return { run: (call, window) => addNote(call, window, text) };
});

export const removeNoteAction: ActionRoute = {
  id: actionIds.noteRemove,
  needs: 'viewer',
  findChannel: cardWindows.findChannel,
  async run(call) {
    const { services, person, view } = call;
    const found = await findPressedWindow(call);
    if (!found || !view) return call.answer({ text: WINDOW_OUTDATED });
    const { channel, project } = found.window;
    const isDone = await services.feed.removeCardNote(channel, project, person.user);
    const text = isDone ? 'Your note is deleted.' : 'You have no note on this card.';
    await updateViewIfOpen(services, view.id, noticeView(NOTE_TITLE, text));
  },
};
