/** The windows that skip a project, or mute what is like it, with what a mute would have hidden. */
import type { KnownBlock, ModalView } from '@slack/types';
import { type CardData, type MuteTarget, SkipReason } from '../../feed/feed.ts';
import { listNewestPostedProjects } from '../../feed/find-project.ts';
import { CARD_GONE, postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { capitalize, contextBlock, formView, sectionBlock } from '../kit/block-builders.ts';
import { MUTED_COUNTRY, parseMutedWord } from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { viewIds } from '../kit/ids.ts';
import { radioInput, selectInput } from '../kit/inputs.ts';
import { formatNumber } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import {
  muteAnnouncementMessage,
  muteConfirmationMessage,
  projectAlreadyClaimedMessage,
} from './card-notices.ts';
import { type CardWindow, cardWindowRoute, cardWindows, readWindowCard } from './card-window.ts';
import { hiddenText, listMuteChoices, type MuteChoice, muteLabel } from './mute-words.ts';

const fields = { reason: 'reason', mute: 'mute' } as const;
const SKIP_TITLE = 'Skip Project';
const MUTE_TITLE = 'Mute Projects';

/** What the windows show; `of`: how many projects the counts are of. */
interface Choices {
  readonly choices: readonly MuteChoice[];
  readonly of: number;
}

async function readChoices({ services, channel }: ActionCall, { seen }: CardData): Promise<Choices> {
  const { store } = services;
  const newest = await store.read((tx) => listNewestPostedProjects(tx, channel));
  return { choices: listMuteChoices(seen.project, newest), of: newest.length };
}

const TO_EVERYONE = 'A mute applies to everyone in this channel, and only to new projects.';

export function skipView(window: CardWindow, { seen }: CardData, { choices, of }: Choices): ModalView {
  const also: KnownBlock[] =
    choices.length === 0
      ? []
      : [
          selectInput({
            id: fields.mute,
            label: 'Also mute projects like this',
            hint: `Counts how many of this channel's last projects it would have hidden. ${TO_EVERYONE}`,
            placeholder: "Don't mute",
            optional: true,
            choices: choices.map(({ value, mute, hidden }) => ({
              value,
              label: `${formatNumber(hidden)} of ${formatNumber(of)}: ${muteLabel(mute)}`,
            })),
          }),
        ];
  return formView({ id: viewIds.cardSkip, carries: window.id, title: SKIP_TITLE, submit: 'Skip' }, [
    sectionBlock(`*${projectLink(seen.project)}*`),
    radioInput({
      id: fields.reason,
      label: 'Reason',
      choices: SkipReason.options.map((reason) => ({
        value: reason,
        label: capitalize(SKIP_REASON_LABELS[reason]),
      })),
      initial: SkipReason.enum['not-a-fit'],
    }),
    ...also,
  ]);
}

/** @returns undefined when there is nothing to mute. */
export function muteView(
  window: CardWindow,
  { seen }: CardData,
  { choices, of }: Choices,
): ModalView | undefined {
  if (choices.length === 0) return undefined;
  return formView({ id: viewIds.cardMute, carries: window.id, title: MUTE_TITLE, submit: 'Mute' }, [
    sectionBlock(`Hide projects like *${projectLink(seen.project, 100)}* in this channel.`),
    radioInput({
      id: fields.mute,
      label: 'What to mute',
      choices: choices.map(({ value, mute, hidden }) => ({
        value,
        label: muteLabel(mute),
        description: capitalize(hiddenText(hidden, of)),
      })),
    }),
    contextBlock(TO_EVERYONE),
  ]);
}

export async function openSkipWindow(call: ActionCall, card: CardData): Promise<void> {
  const choices = await readChoices(call, card);
  const window = await cardWindows.save(call, { project: card.card.project });
  await call.services.slack.openView(call.triggerId, skipView(window, card, choices));
}

export async function openMuteWindow(call: ActionCall, card: CardData): Promise<void> {
  const choices = await readChoices(call, card);
  const window = await cardWindows.save(call, { project: card.card.project });
  const view = muteView(window, card, choices);
  if (!view) return call.answer({ text: 'This project has no country or words to mute.' });
  await call.services.slack.openView(call.triggerId, view);
}

/** The country is the card's; a word may be any, as the person could also type it. */
async function findMute(
  call: ViewSubmissionCall,
  window: CardWindow,
  chosen: string,
): Promise<MuteTarget | undefined> {
  const word = parseMutedWord(chosen);
  if (word !== undefined) return { kind: 'word', value: word };
  if (chosen !== MUTED_COUNTRY) return undefined;
  const country = (await readWindowCard(call, window))?.seen.project.client.country;
  return country ? { kind: 'country', value: country } : undefined;
}

async function mute(call: ViewSubmissionCall, window: CardWindow, chosen: string): Promise<void> {
  const { services, channel, person } = call;
  const wanted = await findMute(call, window, chosen);
  if (!wanted) return call.answer(CARD_GONE);
  const outcome = await services.feed.addMute(channel, wanted, person.user);
  if (outcome === 'full')
    return call.answer(
      messageWithButtons(
        'This channel has reached its mute limit. Remove a mute, then try again.',
        commandButton({ command: 'list', label: 'Show Mutes' }),
      ),
    );
  await call.answer(muteConfirmationMessage(wanted));
  if (outcome === 'muted') await postResultToChannel(call, muteAnnouncementMessage(wanted, person.user));
}

async function skip(call: ViewSubmissionCall, window: CardWindow, reason: SkipReason): Promise<boolean> {
  const { services, person } = call;
  const { channel, project } = window;
  const outcome = await services.feed.skipProject(channel, project, person.user, reason);
  if (outcome.kind === 'done') return true;
  await call.answer(
    outcome.kind === 'held' ? projectAlreadyClaimedMessage(outcome.by, outcome.at) : CARD_GONE,
  );
  return false;
}

export const skipWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardSkip, SKIP_TITLE, (values) => {
  const reason = SkipReason.safeParse(values.get(fields.reason)?.option);
  if (!reason.success) return { errors: { [fields.reason]: 'Choose a reason.' } };
  const also = values.get(fields.mute)?.option;
  return {
    run: async (call, window) => {
      const isSkipped = await skip(call, window, reason.data);
      if (isSkipped && also !== undefined) await mute(call, window, also);
    },
  };
});

export const muteWindowRoute: ViewRoute = cardWindowRoute(viewIds.cardMute, MUTE_TITLE, (values) => {
  const chosen = values.get(fields.mute)?.option;
  if (chosen === undefined) return { errors: { [fields.mute]: 'Choose what to mute.' } };
  return { run: (call, window) => mute(call, window, chosen) };
});
