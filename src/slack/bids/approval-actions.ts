/**
 * Review, Approve and Reject: their windows, the price of a bid, and asking again. Rights depend on the job's
 * own channel, wherever it was pressed.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { ApprovalDecision, ApprovalOrder, Job } from '../../bidding/bidding.ts';
import { readApprovalSubject } from '../../bidding/read-approval-subject.ts';
import { ChannelId, type JobId, type UserId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  Message,
  Services,
  SubmissionResponse,
  ViewButtonPress,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { PRICE_REQUEST_LABEL } from '../core/slow-reply.ts';
import type { RequestContext } from '../core/user-channels.ts';
import { joinLines, loadingView, noticeView } from '../kit/block-builders.ts';
import { approvalRequestValueCodec, approveValueCodec, parseJobId } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { formatCount } from '../kit/numbers.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import { changedText } from './approval-blocks.ts';
import { closedText, type JobApprovalView, staysOpenText } from './approval-message.ts';
import {
  type ApprovalViewIds,
  REASON_FIELD,
  REJECT_TITLE,
  REVIEW_TITLE,
  RejectionReason,
  rejectView,
  reviewView,
} from './approval-view.ts';
import { askToApproveAction, findApprovalDenial, findAskerDenial, withoutDecision } from './approvers.ts';
import { lookUpNote } from './bid-form-actions.ts';
import { addApprovalTemplate, findApprovalTemplate } from './bid-show.ts';
import {
  approvalOutcomeText,
  approveWithRight,
  findJob,
  JOB_PRESS_OUTDATED,
  jobApprovalDenialMessage,
  jobViewDenialMessage,
  noSuchJobMessage,
} from './jobs.ts';

const IN_CHANNELS: ApprovalViewIds = { review: viewIds.jobReview, reject: viewIds.jobReject };
export const HOME_APPROVAL_VIEWS = { review: viewIds.homeReview, reject: viewIds.homeReject };

function idsOf(callbackId: string | undefined): ApprovalViewIds {
  const isHome = callbackId === HOME_APPROVAL_VIEWS.review || callbackId === viewIds.home;
  return isHome ? HOME_APPROVAL_VIEWS : IN_CHANNELS;
}

async function readView(services: Services, job: Job, reader?: UserId): Promise<JobApprovalView> {
  const subject = await services.store.read((tx) => readApprovalSubject(tx, job));
  const isOwn = reader !== undefined && (job.bidder ?? job.review?.by) === reader;
  return { job, subject, isOwn, template: findApprovalTemplate(services, subject) };
}

interface Review {
  readonly view: JobApprovalView;
  readonly ids: ApprovalViewIds;
  /** Set for a person who can't approve. */
  readonly denial?: readonly KnownBlock[] | undefined;
  /** The result of an action; safe mrkdwn. */
  readonly opening?: string;
}

function drawReview({ view, ids, denial, opening }: Review): ModalView {
  const drawn = reviewView(view, ids, opening);
  return denial && drawn.callback_id === ids.review ? withoutDecision(drawn, denial) : drawn;
}

function addTemplate(services: Services, viewId: string, shown: Review): Promise<void> {
  return addApprovalTemplate(services, viewId, shown.view.template, (template) =>
    drawReview({ ...shown, view: { ...shown.view, template } }),
  );
}

async function showReview(services: Services, viewId: string, shown: Review): Promise<void> {
  if (await updateViewIfOpen(services, viewId, drawReview(shown))) await addTemplate(services, viewId, shown);
}

/** Who acts. Slack names no channel for a view, so nothing there is allowed because of its place. */
function readerOf({ services, person, channel, view }: ActionCall | ViewSubmissionCall): RequestContext {
  return { services, person, channel: view ? ChannelId.parse(person.user) : channel };
}

/** Opens Review. Elsewhere than in the job's channel, Slack says first whether the person may see the job. */
export async function openReview(call: ActionCall, id: JobId): Promise<void> {
  const { services, triggerId, channel, view, person } = call;
  const job = await findJob(services, id);
  if (!job) return call.answer(noSuchJobMessage(id));
  const ids = idsOf(view?.callbackId);
  if (job.channel === channel && !view && hasRoleAtLeast(person.role, 'bidder')) {
    const own = await findAskerDenial(services, job, person.user);
    const shown = { view: await readView(services, job, person.user), ids, denial: own };
    const viewId = await services.slack.openView(triggerId, drawReview(shown));
    return addTemplate(services, viewId, shown);
  }
  const viewId = await services.slack.openView(triggerId, loadingView(REVIEW_TITLE));
  const denial = await jobViewDenialMessage(readerOf(call), job);
  if (denial) return void (await updateViewIfOpen(services, viewId, noticeView(REVIEW_TITLE, denial.text)));
  const refused = await findApprovalDenial(call, job);
  const shown = await readView(services, job, person.user);
  await showReview(services, viewId, { view: shown, ids, denial: refused });
}

async function review(call: ActionCall): Promise<void> {
  const id = parseJobId(call.value);
  return id === undefined ? call.answer(JOB_PRESS_OUTDATED) : openReview(call, id);
}

async function openReject(call: ActionCall): Promise<void> {
  const { services, view, triggerId, value } = call;
  const asked = approvalRequestValueCodec.read(value);
  const job = asked && (await findJob(services, asked.job));
  if (!job) return call.answer(JOB_PRESS_OUTDATED);
  const form = rejectView(await readView(services, job), asked.round, idsOf(view?.callbackId));
  if (view) await updateViewIfOpen(services, view.id, form);
  else await services.slack.openView(triggerId, form);
}

const TRIES = 2;

/** Decides about a request if the person may. If the job's channel changes meanwhile, checks again. */
async function decideWithRight(
  reader: RequestContext,
  id: JobId,
  decide: (order: Pick<ApprovalOrder, 'by' | 'authorizedChannel'>) => Promise<ApprovalDecision>,
): Promise<Exclude<ApprovalDecision, { kind: 'moved' }> | Message> {
  for (let tried = 1; tried <= TRIES; tried++) {
    const job = await findJob(reader.services, id);
    if (!job) return noSuchJobMessage(id);
    const denial = await jobApprovalDenialMessage(reader, job);
    if (denial) return denial;
    const done = await decide({ by: reader.person.user, authorizedChannel: job.channel });
    if (done.kind !== 'moved') return done;
  }
  return JOB_PRESS_OUTDATED;
}

async function askAgain(call: ActionCall): Promise<void> {
  const asked = approvalRequestValueCodec.read(call.value);
  if (!asked) return call.answer(JOB_PRESS_OUTDATED);
  const done = await decideWithRight(readerOf(call), asked.job, (order) =>
    call.services.bidding.askForApproval({ ...order, ...asked }),
  );
  const text =
    'text' in done
      ? done.text
      : done.kind === 'done'
        ? `:white_check_mark: Asked again. The new request is in the thread of ${jobLabel(asked.job)}.`
        : `Nothing was sent: the request has changed. ${closedText(done.job)}`;
  if (call.view) await updateViewIfOpen(call.services, call.view.id, noticeView(REVIEW_TITLE, text));
  else await call.answer({ text });
}

function referenceOf({ job, subject }: JobApprovalView): ProjectReference | undefined {
  const { project, bid } = subject;
  const names = [project?.url, bid?.url, job.project, job.marketplaceJobId];
  return names.map((name) => parseProjectReference(name ?? '')).find((each) => each !== undefined);
}

/** Buys the project's details for at most one credit of the job's channel. */
async function lookUpPrice(call: ActionCall): Promise<void> {
  const { services, view, person } = call;
  const id = parseJobId(call.value);
  const job = id === undefined ? undefined : await findJob(services, id);
  if (!job) return call.answer(JOB_PRESS_OUTDATED);
  const denial = await jobViewDenialMessage(readerOf(call), job);
  if (denial) return call.answer(denial);
  const reference = referenceOf(await readView(services, job));
  if (!reference) return call.answer({ text: "The marketplace can't identify this bid's project yet." });
  const outcome = await services.projects.lookUp({ channel: job.channel, user: person.user }, reference);
  const price = outcome.kind === 'found' ? outcome.project.connectsPrice : undefined;
  if (price !== undefined) await services.bidding.recordConnectsPrice(job.id, price);
  const unknown = outcome.kind === 'found' ? "The marketplace doesn't show the price." : undefined;
  const text = joinLines(
    price === undefined ? unknown : `This bid costs ${formatCount(price, 'connect')}, without a boost.`,
    lookUpNote(services, outcome, "could not look up a bid's price"),
  );
  if (!view) return call.answer({ text });
  const now = (await findJob(services, job.id)) ?? job;
  await showReview(services, view.id, {
    view: await readView(services, now, person.user),
    ids: idsOf(view.callbackId),
    denial: await findApprovalDenial(call, now),
    opening: text,
  });
}

const ofJob = {
  needs: 'viewer',
  async findChannel({ value, services }: ViewButtonPress) {
    const id = approvalRequestValueCodec.read(value)?.job ?? parseJobId(value);
    return id === undefined ? undefined : (await findJob(services, id))?.channel;
  },
} as const;

export const approvalActions: readonly ActionRoute[] = [
  askToApproveAction,
  { id: actionIds.jobReview, ...ofJob, run: review },
  { id: actionIds.jobReject, ...ofJob, run: openReject },
  { id: actionIds.jobAskAgain, ...ofJob, hasSideEffects: true, run: askAgain },
  { id: actionIds.jobPrice, ...ofJob, pendingLabel: PRICE_REQUEST_LABEL, run: lookUpPrice },
];

async function showResult(call: ViewSubmissionCall, view: ModalView, text: string): Promise<void> {
  if (!(await updateViewIfOpen(call.services, call.view.id, view))) await call.answer({ text });
}

async function approve(
  call: ViewSubmissionCall,
  ids: ApprovalViewIds,
  asked: NonNullable<ReturnType<typeof approveValueCodec.read>>,
): Promise<void> {
  const { services, person } = call;
  const outcome = await approveWithRight(readerOf(call), asked);
  if ('text' in outcome) return showResult(call, noticeView(REVIEW_TITLE, outcome.text), outcome.text);
  if (outcome.kind === 'changed') {
    const text = changedText(outcome.changes);
    const job = await findJob(services, asked.job);
    if (!job) return showResult(call, noticeView(REVIEW_TITLE, text), text);
    const shown = { view: await readView(services, job, person.user), ids, opening: text };
    await showResult(call, drawReview(shown), text);
    return addTemplate(services, call.view.id, shown);
  }
  const text = approvalOutcomeText(outcome, person.user);
  const view =
    outcome.kind === 'closed'
      ? reviewView(await readView(services, outcome.job), ids)
      : noticeView(REVIEW_TITLE, text);
  return showResult(call, view, text);
}

async function reject(
  call: ViewSubmissionCall,
  asked: NonNullable<ReturnType<typeof approvalRequestValueCodec.read>>,
  reason: string,
): Promise<void> {
  const done = await decideWithRight(readerOf(call), asked.job, (order) =>
    call.services.bidding.rejectApproval({ ...order, ...asked, reason }),
  );
  const text =
    'text' in done
      ? done.text
      : done.kind === 'done'
        ? joinLines(`:no_entry_sign: *You rejected ${jobLabel(done.job.id)}.*`, staysOpenText(done.job.id))
        : joinLines('Your rejection was not recorded.', closedText(done.job));
  return showResult(call, noticeView(REJECT_TITLE, text), text);
}

const OUTDATED: SubmissionResponse = {
  kind: 'update',
  view: noticeView(REVIEW_TITLE, JOB_PRESS_OUTDATED.text),
};

/**
 * The routes of both windows.
 * @param afterwards runs when the person has seen the result, as to redraw their Home tab
 */
export function createApprovalViews(
  ids: ApprovalViewIds,
  afterwards: (call: ViewSubmissionCall) => Promise<void> = async () => undefined,
): readonly ViewRoute[] {
  async function respond(
    { services }: ViewInteraction,
    job: JobId,
    view: ModalView,
    decide: (call: ViewSubmissionCall) => Promise<void>,
  ): Promise<SubmissionResponse> {
    return {
      kind: 'update',
      view,
      channel: (await findJob(services, job))?.channel,
      after: async (call) => {
        await decide(call);
        await afterwards(call);
      },
    };
  }

  async function submitReview(submitted: ViewInteraction): Promise<SubmissionResponse> {
    const asked = approveValueCodec.read(submitted.view.privateMetadata);
    if (!asked) return OUTDATED;
    const words = `:hourglass_flowing_sand: Checking ${jobLabel(asked.job)} and approving it…`;
    const view = noticeView(REVIEW_TITLE, words);
    return respond(submitted, asked.job, view, (call) => approve(call, ids, asked));
  }

  async function submitReject(submitted: ViewInteraction): Promise<SubmissionResponse> {
    const asked = approvalRequestValueCodec.read(submitted.view.privateMetadata);
    if (!asked) return OUTDATED;
    const reason = RejectionReason.safeParse(submitted.view.values.get(REASON_FIELD)?.text ?? '');
    if (!reason.success)
      return { kind: 'errors', errors: { [REASON_FIELD]: 'Enter a reason of up to 500 characters.' } };
    const view = noticeView(REJECT_TITLE, `:hourglass_flowing_sand: Rejecting ${jobLabel(asked.job)}…`);
    return respond(submitted, asked.job, view, (call) => reject(call, asked, reason.data));
  }

  return [
    { id: ids.review, needs: 'viewer', submit: submitReview },
    { id: ids.reject, needs: 'viewer', submit: submitReject },
  ];
}

export const approvalViews = createApprovalViews(IN_CHANNELS);
