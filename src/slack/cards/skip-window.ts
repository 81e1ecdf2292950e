/** The windows that skip a project, or mute what is like it, with what a mute would have hidden. */
import type { KnownBlock, ModalView } from '@slack/types';
import { previewRules } from '../../feed/decide-card.ts';
import { type CardData, type MuteTarget, SkipReason } from '../../feed/feed.ts';
import { listNewestPostedProjects } from '../../feed/find-project.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { UNSPACED, WORD_PART } from '../../query/words.ts';
import { CARD_GONE, postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { capitalize, contextBlock, formView, sectionBlock } from '../kit/block-builders.ts';
import {
  formatMutedWord,
  MAX_MUTED_WORD_LENGTH,
  MUTED_COUNTRY,
  parseMutedWord,
} from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { viewIds } from '../kit/ids.ts';
import { radioInput, selectInput } from '../kit/inputs.ts';
import { cleanLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import {
  muteAnnouncementMessage,
  muteConfirmationMessage,
  projectAlreadyClaimedMessage,
} from './card-notices.ts';
import { type CardWindow, cardWindowRoute, cardWindows, readWindowCard } from './card-window.ts';

interface MuteChoice {
  readonly value: string;
  readonly mute: MuteTarget;
  /** How many of the channel's newest projects it would have hidden. */
  readonly hidden: number;
}

const MOST_WORDS = 8;
const MOST_SKILLS = 5;

const EMPTY_WORDS = new Set(
  (
    'about build business company create customer customers developer developers development engineer ' +
    'experienced expert from have help into looking need needed please project simple small someone that ' +
    'this urgent want website with work your'
  ).split(' '),
);

const TITLE_WORD = new RegExp(
  `(?:${UNSPACED})+|${WORD_PART}(?:${WORD_PART}|[.+#-])*(?:${WORD_PART}|[+#])`,
  'gu',
);

/**
 * The skills, which the marketplace chose, then the longest title words: unique, lower case, at most
 * `longest` characters each. At most eight.
 */
export function suggestMuteWords(
  project: Pick<ListedProject, 'title' | 'skills'>,
  longest: number,
): readonly string[] {
  const skills = project.skills.map((skill) => cleanLine(skill).toLowerCase()).filter(Boolean);
  const words = cleanLine(project.title).toLowerCase().match(TITLE_WORD) ?? [];
  const title = words
    .filter((word) => word.length >= 4 && !EMPTY_WORDS.has(word))
    .sort((a, b) => b.length - a.length);
  const fitting = (all: readonly string[]) => all.filter((word) => word.length <= longest);
  return [...new Set([...fitting(skills).slice(0, MOST_SKILLS), ...fitting(title)])].slice(0, MOST_WORDS);
}

/** At most nine. @param newest the channel's newest projects */
function listMuteChoices(project: ListedProject, newest: readonly ListedProject[]): readonly MuteChoice[] {
  const country = cleanLine(project.client.country ?? '');
  const withCount = (value: string, mute: MuteTarget): MuteChoice => ({
    value,
    mute,
    hidden: previewRules(newest, { mutes: [mute] }).hidden.length,
  });
  return [
    ...(country ? [withCount(MUTED_COUNTRY, { kind: 'country', value: country })] : []),
    ...suggestMuteWords(project, MAX_MUTED_WORD_LENGTH).map((word) =>
      withCount(formatMutedWord(word), { kind: 'word', value: word }),
    ),
  ];
}

/** Plain text. */
function muteLabel({ kind, value }: MuteTarget): string {
  return kind === 'country' ? `Client country: ${value}` : `Projects that mention “${value}”`;
}

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

function skipView(window: CardWindow, { seen }: CardData, { choices, of }: Choices): ModalView {
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
      choices: SkipReason.options.map((value) => ({ value, label: capitalize(SKIP_REASON_LABELS[value]) })),
      initial: SkipReason.enum['not-a-fit'],
    }),
    ...also,
  ]);
}

function muteView(window: CardWindow, { seen }: CardData, { choices, of }: Choices): ModalView {
  return formView({ id: viewIds.cardMute, carries: window.id, title: MUTE_TITLE, submit: 'Mute' }, [
    sectionBlock(`Hide projects like *${projectLink(seen.project, 100)}* in this channel.`),
    radioInput({
      id: fields.mute,
      label: 'What to mute',
      choices: choices.map(({ value, mute, hidden }) => ({
        value,
        label: muteLabel(mute),
        description: `Would have hidden ${formatNumber(hidden)} of the last ${formatNumber(of)}`,
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
  if (choices.choices.length === 0)
    return call.answer({ text: 'This project has no country or words to mute.' });
  await call.services.slack.openView(call.triggerId, muteView(window, card, choices));
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

const FULL = 'This channel has reached its mute limit. Remove a mute, then try again.';

async function mute(call: ViewSubmissionCall, window: CardWindow, chosen: string): Promise<void> {
  const { services, channel, person } = call;
  const wanted = await findMute(call, window, chosen);
  if (!wanted) return call.answer(CARD_GONE);
  const outcome = await services.feed.addMute(channel, wanted, person.user);
  if (outcome === 'full')
    return call.answer(messageWithButtons(FULL, commandButton({ command: 'list', label: 'Show Mutes' })));
  await call.answer(muteConfirmationMessage(wanted));
  if (outcome === 'muted') await postResultToChannel(call, muteAnnouncementMessage(wanted, person.user));
}

async function skip(call: ViewSubmissionCall, window: CardWindow, reason: SkipReason): Promise<boolean> {
  const { services, person } = call;
  const { channel, project } = window;
  const outcome = await services.feed.skipProject(channel, project, person.user, reason);
  if (outcome.kind === 'done') return true;
  const isHeld = outcome.kind === 'held';
  await call.answer(isHeld ? projectAlreadyClaimedMessage(outcome.by, outcome.at) : CARD_GONE);
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
