/** The window that sets a reminder of a card, and the buttons that cancel and snooze it. */
import type { ModalView } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { CardData } from '../../feed/feed.ts';
import { readCard, readSeenProject } from '../../feed/find-project.ts';
import {
  findReminderTime,
  REMINDER_CHOICES,
  type Reminder,
  type ReminderChoice,
} from '../../reminders/reminders.ts';
import { CARD_GONE, findPostLink, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { buttonElement, noticeView, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { reminderValueCodec } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { radioInput } from '../kit/inputs.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { type CardWindow, cardWindowRoute, cardWindows, readWindowCard } from './card-window.ts';

const FIELD = 'when';
const TITLE = 'Remind Me';

const LABELS: Readonly<Record<ReminderChoice, string>> = {
  'one-hour': 'In 1 hour',
  'two-hours': 'In 2 hours',
  tomorrow: 'Tomorrow at 9:00 AM',
};

/** The person's zone, else the channel's, else the default. */
function zoneOf(
  { person, services }: Pick<ActionCall, 'person' | 'services'>,
  { settings }: CardData,
): string {
  return person.timezone ?? settings.timezone ?? services.timezone;
}

type Place = Pick<Reminder, 'channel' | 'project'>;

function cancelButton(place: Place) {
  const { channel, project } = place;
  return buttonElement({
    id: actionIds.reminderCancel,
    label: 'Cancel Reminder',
    value: reminderValueCodec.write({ channel, project }),
  });
}

export interface RemindFacts {
  readonly card: CardData;
  /** IANA name. */
  readonly timezone: string;
  readonly earlier?: Reminder | undefined;
}

export function remindView(window: CardWindow, { card, timezone, earlier }: RemindFacts): ModalView {
  return {
    type: 'modal',
    callback_id: viewIds.cardRemind,
    private_metadata: window.id,
    title: plainTextObject(TITLE),
    submit: plainTextObject('Set Reminder'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${projectLink(card.seen.project)}*`),
      ...(earlier
        ? [
            sectionBlock(
              `You have a reminder for ${formatDate(earlier.dueAt)}. A new one replaces it.`,
              cancelButton(window),
            ),
          ]
        : []),
      radioInput({
        id: FIELD,
        label: 'Remind me',
        hint: 'You get a direct message. Nobody else sees it.',
        choices: REMINDER_CHOICES.map((value) => ({
          value,
          label: value === 'tomorrow' ? `${LABELS[value]} (${timezone})` : LABELS[value],
        })),
        initial: REMINDER_CHOICES[0],
      }),
    ],
  };
}

export async function openRemindWindow(call: ActionCall, card: CardData): Promise<void> {
  const { services } = call;
  const window = await cardWindows.save(call, { project: card.card.project });
  const earlier = await services.store.read((tx) => services.reminders.findReminder(tx, window));
  const view = remindView(window, { card, timezone: zoneOf(call, card), earlier });
  await services.slack.openView(call.triggerId, view);
}

/** For the person alone. */
export function reminderSetMessage(place: Place, dueAt: Instant): Message {
  const text = `:alarm_clock: Reminder set for ${formatDate(dueAt)}. You'll get a direct message.`;
  return { text, blocks: [sectionBlock(text, cancelButton(place))] };
}

const TOO_MANY: Message = {
  text: "You have 100 reminders, which is the limit. This one wasn't set. Cancel another one first.",
};

async function setReminder(
  call: Pick<ViewSubmissionCall, 'services' | 'person' | 'answer'>,
  { channel, project }: Place,
  { title, dueAt }: Pick<Reminder, 'title' | 'dueAt'>,
): Promise<Message> {
  const { services, person } = call;
  const link = await findPostLink(services, channel, project);
  const reminder = { user: person.user, channel, project, title, dueAt, ...(link ? { link } : {}) };
  const outcome = await services.reminders.setReminder(reminder);
  return outcome === 'full' ? TOO_MANY : reminderSetMessage({ channel, project }, dueAt);
}

async function remind(call: ViewSubmissionCall, window: CardWindow, choice: ReminderChoice): Promise<void> {
  const card = await readWindowCard(call, window);
  if (!card) return call.answer(CARD_GONE);
  const dueAt = findReminderTime(choice, call.services.clock.now(), zoneOf(call, card));
  await call.answer(await setReminder(call, window, { title: card.seen.project.title, dueAt }));
}

export const remindWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardRemind, TITLE, (values) => {
  const chosen = values.get(FIELD)?.option;
  const choice = REMINDER_CHOICES.find((each) => each === chosen);
  if (!choice) return { errors: { [FIELD]: 'Choose when.' } };
  return { run: (call, window) => remind(call, window, choice) };
});

const CANCELLED: Message = { text: 'Your reminder is canceled.' };
const NO_REMINDER: Message = { text: 'This reminder was already sent or canceled.' };
const OUTDATED: Message = {
  text: 'This button is out of date, so nothing changed. Set a reminder from the menu of the card.',
};

async function cancel(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const place = reminderValueCodec.read(call.value);
  if (!place) return call.answer(OUTDATED);
  const isDone = await services.reminders.cancelReminder({ ...place, user: person.user });
  const message = isDone ? CANCELLED : NO_REMINDER;
  if (view) await updateViewIfOpen(services, view.id, noticeView(TITLE, message.text));
  else await call.replace(message);
}

/** In an hour again, from the direct message. The card's channel decides whether the person may see it. */
async function snooze(call: ActionCall): Promise<void> {
  const { services, person, channel: here } = call;
  const { store, team, clock } = services;
  const place = reminderValueCodec.read(call.value);
  if (!place) return call.answer(OUTDATED);
  const found = await store.read(async (tx) => ({
    card: await readCard(tx, team, place.channel, place.project),
    seen: await readSeenProject(tx, team, place.project),
  }));
  if (!found.card || !found.seen) return call.answer(CARD_GONE);
  const refusal = await findVisibilityRefusal({ services, person, channel: here }, place.channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const dueAt = findReminderTime('one-hour', clock.now(), services.timezone);
  await call.answer(await setReminder(call, place, { title: found.seen.project.title, dueAt }));
}

export const reminderActions: readonly ActionRoute[] = [
  { id: actionIds.reminderCancel, needs: 'viewer', findChannel: cardWindows.findChannel, run: cancel },
  { id: actionIds.reminderSnooze, needs: 'viewer', run: snooze },
];
