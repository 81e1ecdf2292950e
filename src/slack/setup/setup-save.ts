/** Saves the setup form, says what changed and what didn't, and posts a first card. */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { FilterId, UserId } from '../../ids.ts';
import { enqueuePost } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import { logAndDescribeFailure, postResultToChannel, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  CommandCall,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { actionsBlock, buttonElement, capitalize, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { channelLink, clipText, formatMention } from '../kit/mrkdwn.ts';
import { type SaveStep, saveSteps } from './save-steps.ts';
import { readFirstStep, SETUP_OUT_OF_DATE } from './setup-actions.ts';
import {
  checkFilterAnswers,
  checkReceiveInputs,
  type ReceiveAnswers,
  readReceiveInputs,
} from './setup-answers.ts';
import { changeSetupForm, type SetupForm, setupForms } from './setup-forms.ts';
import { EDIT_TITLE, receiveModal, SETUP_TITLE } from './setup-modal.ts';
import { readSetupChoices } from './setup-open.ts';

/** Slack shortens longer messages. */
const LONGEST_MESSAGE = 3_900;
const SAVING = ':hourglass_flowing_sand: Saving…';

/** Names the person once, not in each change. mrkdwn. */
function changesText(changes: readonly string[], by: UserId, done: string): string {
  const who = `${formatMention(by)} `;
  const [only = '', ...more] = changes;
  if (more.length === 0) return only;
  const rows = changes.map((text) => {
    const change = text.startsWith(who) ? capitalize(text.slice(who.length)) : text;
    return `• ${change.replaceAll('\n• ', '\n      ◦ ')}`;
  });
  return [`${who}${done}:`, ...rows].join('\n');
}

function newFilterOf({ answers, edited }: SetupForm): FilterId | undefined {
  const checked = checkFilterAnswers(answers, edited);
  return edited || checked.kind === 'errors' ? undefined : checked.filter;
}

/** The card that people see at once: a known project, else one that is marked as made up. */
async function postFirstCard({ services, channel }: ViewSubmissionCall, form: SetupForm): Promise<void> {
  const { store, clock, feed } = services;
  const filter = newFilterOf(form);
  if (filter === undefined || (await feed.postFirstCard(channel, filter)) !== 'none-known') return;
  const at = clock.now();
  await store.transact((tx) =>
    enqueuePost(tx, {
      id: PostId.parse(`example-card:${channel}`),
      channel,
      content: { kind: 'example-card' },
      order: at,
      at,
    }),
  );
}

function savedView(form: SetupForm, changes: readonly string[], notes: readonly string[]): ModalView {
  const where = channelLink(form.channel);
  const next =
    newFilterOf(form) === undefined
      ? ''
      : ' New projects arrive there as they are found. For its budget, mentions and quiet hours, type ' +
        '`/gig settings` there.';
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

async function saveSetup(call: ViewSubmissionCall, form: SetupForm, answers: ReceiveAnswers): Promise<void> {
  const { services, channel, person, view } = call;
  const reach = await services.slack.checkReachability(channel);
  // One message tells the channel what changed, since Slack takes about one a second. What is for the person
  // alone shows in the form's last view.
  const changes: string[] = [];
  const notes: string[] = [];
  const answer: CommandCall['answer'] = async ({ text }, to) => {
    (to === 'channel' ? changes : notes).push(text);
  };
  // A failing step doesn't keep the others from running.
  const runStep = async ({ what, run }: SaveStep) => {
    try {
      await run({ ...call, args: '', answer });
    } catch (thrown) {
      notes.push(logAndDescribeFailure(services, what, thrown).text);
    }
  };
  if (reach.kind === 'unreachable') notes.push(channelUnreachableMessage(reach.error).text);
  else {
    const isAdmin = hasRoleAtLeast(person.role, 'admin');
    for (const step of saveSteps(form, answers, isAdmin)) await runStep(step);
    const done = form.edited ? "changed this channel's setup" : 'set up this channel';
    const text = clipText(changesText(changes, person.user, done), LONGEST_MESSAGE);
    if (changes.length > 0) await postResultToChannel(call, { text });
    await runStep({ what: 'could not post a first card', run: () => postFirstCard(call, form) });
  }
  if (await updateViewIfOpen(services, view.id, savedView(form, changes, notes))) return;
  // Closed while saving: what failed must still reach the person.
  for (const text of notes) await call.answer({ text });
}

const outOfDate: SubmissionResponse = { kind: 'update', view: noticeView(SETUP_TITLE, SETUP_OUT_OF_DATE) };

async function submitAll(form: SetupForm, title: string): Promise<SubmissionResponse> {
  const first = checkFilterAnswers(form.answers, form.edited);
  const rest = form.receive && checkReceiveInputs(form.receive, form);
  if (rest?.kind !== 'checked' || first.kind === 'errors') {
    const errors = [first, rest].map((each) => (each?.kind === 'errors' ? each.errors : {}));
    return { kind: 'errors', errors: Object.assign({}, ...errors) };
  }
  return {
    kind: 'update',
    view: noticeView(title, SAVING),
    channel: form.channel,
    after: (call) => saveSetup(call, form, rest.answers),
  };
}

async function submitFilter(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const { services, view } = submitted;
  const before = await setupForms.find(submitted);
  if (!before) return outOfDate;
  const inputs = readFirstStep(view.values, before);
  const { store, feed } = services;
  const form = await store.transact((tx) => changeSetupForm(tx, before, { ...inputs, wasSubmitted: true }));
  if (!form) return outOfDate;
  if (form.edited) return submitAll(form, EDIT_TITLE);
  const checked = checkFilterAnswers(form.answers, form.edited);
  if (checked.kind === 'errors') return checked;
  const known = await feed.listStoredFilters();
  const choices = await readSetupChoices(services, known);
  const { filter: id } = checked;
  const filter = id && (known.find((each) => each.id === id) ?? { id });
  return { kind: 'update', view: receiveModal(form, choices, filter) };
}

async function submitReceive(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const before = await setupForms.find(submitted);
  if (!before) return outOfDate;
  const receive = readReceiveInputs(submitted.view.values, before);
  const form = await submitted.services.store.transact((tx) => changeSetupForm(tx, before, { receive }));
  return form ? submitAll(form, SETUP_TITLE) : outOfDate;
}

export const setupViews: readonly ViewRoute[] = [
  { id: viewIds.setup, needs: 'viewer', submit: submitFilter },
  { id: viewIds.setupReceive, needs: 'viewer', submit: submitReceive },
];
