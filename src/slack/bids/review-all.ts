/** Approves several waiting bids at once: each exactly as shown, each in the same way as alone. */
import { findApprovalTitle } from '../../bidding/approval-request.ts';
import { readApprovalSubject } from '../../bidding/approval-requests.ts';
import { listHeldOrdersToApprove, readHeldOrder, toHeldOrderRef } from '../../bidding/held-order.ts';
import { listAllWaitingJobs, listWaitingJobs, readJob } from '../../bidding/project-bidding.ts';
import { ChannelId } from '../../ids.ts';
import { canStillApprove } from '../../spending/spending.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  Services,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import type { RequestContext } from '../core/user-channels.ts';
import { loadingView, noticeView } from '../kit/block-builders.ts';
import { ConversationValue } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { changedText } from './approval-blocks.ts';
import { closedText } from './approval-message.ts';
import { findApprovalTemplate, readApprovalTemplate } from './approval-template.ts';
import { canApproveJob } from './bid-buttons.ts';
import { approvedHeldText, approveHeldWithRight, findDecisionDenial } from './held-actions.ts';
import { approvalOutcomeText, approveWithRight } from './jobs.ts';
import {
  hashShown,
  isShownInFull,
  MOST_AT_ONCE,
  type NamedApproval,
  NOTHING_CHOSEN,
  parseChosen,
  REVIEW_ALL_TITLE,
  reviewAllCodec,
  reviewAllView,
  severalApprovedView,
  subjectOf,
  type WaitingApproval,
} from './review-all-view.ts';

/** More are looked at by hand. */
const MOST_READ = 50;
const OUTDATED = 'This window is out of date: something in it has changed. Nothing was done. Open it again.';

async function readWaiting(
  tx: ReadTransaction,
  { team }: Services,
  channel: ChannelId | undefined,
): Promise<readonly WaitingApproval[]> {
  const jobs = await (channel === undefined
    ? listAllWaitingJobs(tx, team, MOST_READ)
    : listWaitingJobs(tx, team, channel, MOST_READ));
  const waiting: WaitingApproval[] = [];
  for (const job of jobs.filter(canApproveJob))
    waiting.push({ kind: 'job', job, subject: await readApprovalSubject(tx, team, job) });
  for (const order of await listHeldOrdersToApprove(tx, team, channel, MOST_READ))
    waiting.push({ kind: 'held', order });
  return waiting;
}

function channelOf(waiting: WaitingApproval): ChannelId {
  return waiting.kind === 'job' ? waiting.job.channel : waiting.order.channel;
}

/** Whether the person's approval would count, as far as known before the rules are checked. */
function isOpenFor(waiting: WaitingApproval, user: RequestContext['person']['user']): boolean {
  if (waiting.kind === 'job') return true;
  const { sender, hold } = waiting.order;
  return canStillApprove(hold, sender, user);
}

/** Those in channels where the person may decide. One check for each channel. */
async function keepAllowed(
  reader: RequestContext,
  all: readonly WaitingApproval[],
): Promise<readonly WaitingApproval[]> {
  const allowed = new Set<ChannelId>();
  for (const place of new Set(all.map(channelOf)))
    if (!(await findDecisionDenial(reader, place))) allowed.add(place);
  return all.filter((each) => allowed.has(channelOf(each)));
}

/** What the person may approve. */
async function listForPerson(
  reader: RequestContext,
  channel: ChannelId | undefined,
): Promise<readonly WaitingApproval[]> {
  const { services, person } = reader;
  const all = await services.store.read((tx) => readWaiting(tx, services, channel));
  return keepAllowed(
    reader,
    all.filter((each) => isOpenFor(each, person.user)),
  );
}

/** With what each leaves to its setup's template, so that the window shows all that is sent. */
function addTemplates(
  services: Services,
  all: readonly WaitingApproval[],
): Promise<readonly WaitingApproval[]> {
  return Promise.all(
    all.map(async (waiting) => {
      const known = await findApprovalTemplate(services, subjectOf(waiting));
      return known ? { ...waiting, template: await readApprovalTemplate(services, known) } : waiting;
    }),
  );
}

/** @param channel only this channel's; missing: of all channels */
export async function openReviewAll(call: ActionCall, channel: ChannelId | undefined): Promise<void> {
  const { services, triggerId, person, view } = call;
  const viewId = await services.slack.openView(triggerId, loadingView(REVIEW_ALL_TITLE));
  const here = view ? ChannelId.parse(person.user) : call.channel;
  const all = await listForPerson({ services, person, channel: here }, channel);
  const whole = all.filter(isShownInFull);
  const shown = await addTemplates(services, whole.slice(0, MOST_AT_ONCE));
  const leftOut = { more: whole.length - shown.length, tooLong: all.length - whole.length };
  await updateViewIfOpen(services, viewId, reviewAllView(shown, 0, leftOut));
}

/** What the window names, as it is now. */
async function readNamed(
  { store, team }: Services,
  named: readonly NamedApproval[],
): Promise<readonly (WaitingApproval | undefined)[]> {
  return store.read(async (tx) => {
    const found: (WaitingApproval | undefined)[] = [];
    for (const { job: id, heldBid, heldJob } of named) {
      const job = id === undefined ? undefined : await readJob(tx, team, id);
      const ref = toHeldOrderRef({ bid: heldBid, job: heldJob });
      const order = ref && (await readHeldOrder(tx, team, ref));
      if (job) found.push({ kind: 'job', job, subject: await readApprovalSubject(tx, team, job) });
      else found.push(order && { kind: 'held', order });
    }
    return found;
  });
}

/** The label of the button counts what is checked. */
async function redraw(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const asked = view && reviewAllCodec.read(view.privateMetadata);
  if (!asked) return;
  const { named, leftOut } = asked;
  const waiting = (await readNamed(services, named)).filter((each) => each !== undefined);
  const all = await keepAllowed({ services, person, channel: ChannelId.parse(person.user) }, waiting);
  // A check mark never moves to other content: the person opens the window again to see it.
  const isAsShown = all.length === named.length && all.every((it, at) => hashShown(it) === named[at]?.shown);
  if (!isAsShown) return void (await updateViewIfOpen(services, view.id, outdatedView()));
  const shown = await addTemplates(services, all);
  await updateViewIfOpen(services, view.id, reviewAllView(shown, parseChosen(view.values).length, leftOut));
}

function outdatedView() {
  return noticeView(REVIEW_ALL_TITLE, OUTDATED);
}

const channelOfPerson: ActionRoute['findChannel'] = async ({ user }) => ChannelId.parse(user);

export const reviewAllActions: readonly ActionRoute[] = [
  {
    id: actionIds.reviewAll,
    needs: 'viewer',
    run: (call) => openReviewAll(call, ConversationValue.safeParse(call.value).data ?? call.channel),
  },
  {
    id: actionIds.reviewAllChoice,
    needs: 'viewer',
    findChannel: channelOfPerson,
    isInForm: true,
    run: redraw,
  },
];

/** Approves one. @returns the result as mrkdwn */
async function approveOne(reader: RequestContext, named: NamedApproval): Promise<string> {
  const { seen, shown, heldBid, heldJob } = named;
  if (named.job !== undefined) {
    const outcome = await approveWithRight(reader, { job: named.job, seen, shown });
    if ('text' in outcome) return outcome.text;
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'changed') return changedText(outcome.changes);
    if (outcome.kind === 'closed') return closedText(outcome.job);
    return approvalOutcomeText(outcome, reader.person.user);
  }
  const done = await approveHeldWithRight(reader, { bid: heldBid, job: heldJob, attempt: seen, shown });
  return 'text' in done ? done.text : approvedHeldText(done);
}

async function approveChosen(
  call: ViewSubmissionCall,
  chosen: readonly NamedApproval[],
  of: number,
): Promise<void> {
  const { services, person, view } = call;
  const reader = { services, person, channel: ChannelId.parse(person.user) };
  const waiting = await readNamed(services, chosen);
  const [place] = await keepAllowed(
    reader,
    waiting.filter((each) => each !== undefined),
  );
  const counts = { chosen: chosen.length, of };
  if (place) await services.bidding.recordSeveralApprovals(person.user, channelOf(place), counts);
  const lines: string[] = [];
  for (const [number, named] of chosen.entries()) {
    const it = waiting[number];
    const subject = it?.kind === 'job' ? it.subject : it?.order.subject;
    const title = safeLine(subject ? findApprovalTitle(subject) : '', 120) || 'A bid';
    try {
      lines.push(`*${title}*\n${await approveOne(reader, named)}`);
    } catch (thrown) {
      const failure = logAndDescribeFailure(services, 'could not approve one of several bids', thrown);
      lines.push(`*${title}*\n${failure.text}`);
    }
  }
  if (!(await updateViewIfOpen(services, view.id, severalApprovedView(lines))))
    await call.answer({ text: lines.join('\n') });
}

async function submit({ view }: ViewInteraction): Promise<SubmissionResponse> {
  const asked = reviewAllCodec.read(view.privateMetadata);
  if (!asked) return { kind: 'update', view: outdatedView() };
  const { named } = asked;
  const places = new Set(parseChosen(view.values));
  const chosen = named.filter((_, place) => places.has(place));
  if (chosen.length === 0) return { kind: 'errors', errors: NOTHING_CHOSEN };
  return {
    kind: 'update',
    view: noticeView(
      REVIEW_ALL_TITLE,
      `:hourglass_flowing_sand: Approving ${chosen.length} of ${named.length}…`,
    ),
    after: (call) => approveChosen(call, chosen, named.length),
  };
}

export const reviewAllRoute: ViewRoute = { id: viewIds.reviewAll, needs: 'viewer', submit };
