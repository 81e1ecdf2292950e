/** Saves the setup form through the features' own functions, and posts a first card. */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { type ChannelPreferences, listChangedPreferences, MAX_MENTION_RULES } from '../../feed/channels.ts';
import type { FilterId, UserId } from '../../ids.ts';
import { enqueuePost } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import { setChannelBudget } from '../budgets/budgets.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import { logAndDescribeFailure, postResultToChannel, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  CommandCall,
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { digestCommand } from '../digests/digests.ts';
import { actionsBlock, buttonElement, capitalize, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { channelLink, clipText, formatMention } from '../kit/mrkdwn.ts';
import { saveChannelPreferences } from '../settings/settings.ts';
import { followProfile, subscribeToFilter } from '../subscriptions/subscriptions.ts';
import { nameFilter, readOwnForm, SETUP_OUT_OF_DATE } from './setup-actions.ts';
import {
  checkFilterAnswers,
  checkReceiveAnswers,
  type ReceiveAnswers,
  readFilterAnswers,
} from './setup-answers.ts';
import { changeSetupForm, type SetupForm } from './setup-forms.ts';
import { EDIT_TITLE, receiveModal, SETUP_TITLE } from './setup-modal.ts';
import { readSetupChoices } from './setup-open.ts';

const NOTHING_ELSE: ReceiveAnswers = { feeds: [] };
/** Slack shortens longer messages. */
const LONGEST_MESSAGE = 3_900;
const SAVING = ':hourglass_flowing_sand: Saving…';

/** One step of a save, such as following a profile. */
interface SaveStep {
  /** For the log. */
  readonly what: string;
  readonly run: (call: CommandCall) => Promise<unknown>;
}

/** Names the person once, not in each change. mrkdwn. */
function changesText(changes: readonly string[], by: UserId): string {
  const who = `${formatMention(by)} `;
  const [only = '', ...more] = changes;
  if (more.length === 0) return only;
  const rows = changes.map((text) => {
    const change = text.startsWith(who) ? capitalize(text.slice(who.length)) : text;
    return `• ${change.replaceAll('\n• ', '\n      ◦ ')}`;
  });
  return [`${who}set up this channel:`, ...rows].join('\n');
}

/**
 * Collects what the steps say: one message tells the channel what changed, since Slack takes about one a
 * second; what is for the person alone shows in the form's last view.
 */
class SaveNotes {
  readonly notes: string[] = [];
  readonly changes: string[] = [];
  readonly #call: ViewSubmissionCall;

  constructor(call: ViewSubmissionCall) {
    this.#call = call;
  }

  /** A failing step doesn't keep the others from running. */
  async run({ what, run }: SaveStep): Promise<void> {
    const answer: CommandCall['answer'] = async ({ text }, to) => {
      (to === 'channel' ? this.changes : this.notes).push(text);
    };
    try {
      await run({ ...this.#call, args: '', answer });
    } catch (thrown) {
      this.notes.push(logAndDescribeFailure(this.#call.services, what, thrown).text);
    }
  }

  async announceChanges(): Promise<void> {
    if (this.changes.length > 0)
      await postResultToChannel(this.#call, {
        text: clipText(changesText(this.changes, this.#call.person.user), LONGEST_MESSAGE),
      });
  }
}

/** Only what the form offers changes; rules for mentions that it doesn't show stay. */
function preferencesOf(shown: ChannelPreferences, { level, mentions }: ReceiveAnswers): ChannelPreferences {
  const own = shown.mentions.find(({ rules }) => rules === '');
  const others = shown.mentions.filter((each) => each !== own);
  const users: readonly UserId[] = mentions ?? own?.users ?? [];
  const groups = own?.groups ?? [];
  const everyProject = users.length + groups.length > 0 ? [{ rules: '', users: [...users], groups }] : [];
  return {
    ...shown,
    level: level ?? shown.level,
    mentions: mentions ? [...everyProject, ...others].slice(0, MAX_MENTION_RULES) : shown.mentions,
  };
}

/** The card that people see at once: a known project, else one that is marked as made up. */
async function postFirstCard(call: ViewSubmissionCall, filter: FilterId): Promise<void> {
  const { services, channel } = call;
  const { store, team, clock, feed } = services;
  if ((await feed.postFirstCard(channel, filter)) !== 'none-known') return;
  const at = clock.now();
  await store.transact((tx) =>
    enqueuePost(tx, {
      team,
      id: PostId.parse(`example-card:${channel}`),
      channel,
      content: { kind: 'example-card' },
      order: at,
      at,
    }),
  );
}

async function postFirstCards(call: ViewSubmissionCall, form: SetupForm): Promise<void> {
  const checked = checkFilterAnswers(form.answers, form.edited);
  if (checked.kind === 'checked' && checked.filter !== undefined && !form.edited)
    await postFirstCard(call, checked.filter);
}

/** For an edited subscription that someone else changed while the form was open. */
async function describeOverwrittenRules(
  call: CommandCall,
  edited: SetupForm['edited'],
): Promise<string | undefined> {
  if (!edited) return undefined;
  const views = await call.services.feed.listSubscriptions(call.channel);
  const now = views.find(({ filter }) => filter.id === edited.filter)?.subscription;
  if (!now) return 'This subscription was removed while you edited it. Your rules started it again.';
  return now.rules === edited.rules
    ? undefined
    : 'Someone changed these rules while this form was open. Your rules replaced them.';
}

/** Settings and a budget come first: they apply to the first card. */
function adminSteps(form: SetupForm, answers: ReceiveAnswers): readonly SaveStep[] {
  const { budget } = answers;
  const choices = { shown: form.shown, wanted: preferencesOf(form.shown, answers) };
  const isChanged = listChangedPreferences(choices.shown, choices.wanted).length > 0;
  const steps: SaveStep[] = [];
  if (budget !== undefined)
    steps.push({ what: 'could not set a budget', run: (call) => setChannelBudget(call, budget) });
  if (isChanged)
    steps.push({
      what: 'could not save settings',
      run: (call) => saveChannelPreferences(call, choices, (message) => call.answer(message, 'channel')),
    });
  return steps;
}

function subscribeSteps(form: SetupForm): readonly SaveStep[] {
  const checked = checkFilterAnswers(form.answers, form.edited);
  if (checked.kind === 'errors' || checked.filter === undefined) return [];
  const { filter, rules } = checked;
  return [
    {
      what: 'could not subscribe',
      run: async (call) => {
        const overwritten = await describeOverwrittenRules(call, form.edited);
        if (!(await subscribeToFilter(call, { filter, rules }))) return;
        if (overwritten) await call.answer({ text: overwritten });
      },
    },
  ];
}

function stepsOf(form: SetupForm, answers: ReceiveAnswers, isAdmin: boolean): readonly SaveStep[] {
  const { feeds, digest } = answers;
  const steps: SaveStep[] = [...(isAdmin ? adminSteps(form, answers) : []), ...subscribeSteps(form)];
  for (const { feed, profile } of feeds)
    steps.push({
      what: 'could not follow a profile',
      run: (call) => followProfile(call, { kind: 'profile', feed, profile }),
    });
  if (digest !== undefined)
    steps.push({
      what: 'could not plan a digest',
      run: (call) => digestCommand.run({ ...call, args: digest }),
    });
  return steps;
}

function savedView(form: SetupForm, { notes, changes }: SaveNotes): ModalView {
  const where = channelLink(form.channel);
  const hasFilter = form.edited !== undefined || subscribeSteps(form).length > 0;
  const next = hasFilter ? ' New projects arrive there as they are found.' : '';
  const done =
    changes.length > 0
      ? `:white_check_mark: *Saved.* A message in ${where} says what changed.${next}`
      : `*Nothing changed in ${where}.*`;
  const title = form.edited ? EDIT_TITLE : SETUP_TITLE;
  const back = buttonElement({ id: actionIds.setupBack, label: 'Back', value: 'back' });
  // With the answers of the first step, so that what failed can be tried again.
  const again = changes.length === 0 || notes.length > 0 ? [actionsBlock([back])] : [];
  const blocks = [...[done, ...notes].map((text) => sectionBlock(text)), ...again];
  return { ...noticeView(title, blocks), private_metadata: form.id };
}

async function save(call: ViewSubmissionCall, form: SetupForm, answers: ReceiveAnswers): Promise<void> {
  const { services, channel, person, view } = call;
  const reach = await services.slack.checkReachability(channel);
  const notes = new SaveNotes(call);
  if (reach.kind === 'unreachable') notes.notes.push(channelUnreachableMessage(reach.error).text);
  else {
    const isAdmin = hasRoleAtLeast(person.role, 'admin');
    for (const step of stepsOf(form, answers, isAdmin)) await notes.run(step);
    await notes.announceChanges();
    await notes.run({ what: 'could not post a first card', run: () => postFirstCards(call, form) });
  }
  const shown = savedView(form, notes);
  if (await updateViewIfOpen(services, view.id, shown)) return;
  // Closed while saving: what failed must still reach the person.
  for (const text of notes.notes) await call.answer({ text } satisfies Message);
}

const outOfDate: SubmissionResponse = { kind: 'update', view: noticeView(SETUP_TITLE, SETUP_OUT_OF_DATE) };

async function submitFilter(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const { services, view } = submitted;
  const { store, feed } = services;
  const before = await readOwnForm(submitted);
  if (!before) return outOfDate;
  const answers = readFilterAnswers(view.values, before.answers);
  const checked = checkFilterAnswers(answers, before.edited);
  const form = await store.transact((tx) => changeSetupForm(tx, before, { answers }));
  if (!form) return outOfDate;
  if (checked.kind === 'errors') return checked;
  if (form.edited)
    return {
      kind: 'update',
      view: noticeView(EDIT_TITLE, SAVING),
      channel: form.channel,
      after: (call) => save(call, form, NOTHING_ELSE),
    };
  const choices = await readSetupChoices(services, await feed.listStoredFilters());
  const filter = checked.filter && (await nameFilter(services, checked.filter));
  return { kind: 'update', view: receiveModal(form, choices, filter) };
}

async function submitReceive(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const form = await readOwnForm(submitted);
  if (!form) return outOfDate;
  const checked = checkReceiveAnswers(submitted.view.values, form);
  if (checked.kind === 'errors') return checked;
  return {
    kind: 'update',
    view: noticeView(SETUP_TITLE, SAVING),
    channel: form.channel,
    after: (call) => save(call, form, checked.answers),
  };
}

export const setupViews: readonly ViewRoute[] = [
  { id: viewIds.setup, needs: 'viewer', submit: submitFilter },
  { id: viewIds.setupReceive, needs: 'viewer', submit: submitReceive },
];
