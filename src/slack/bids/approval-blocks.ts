/** Everything that an approval sends, and what is unknown of it. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import {
  type ApprovalChange,
  type ApprovalFactName,
  type ApprovalSubject,
  findApprovalTitle,
  findConnectsPrice,
  findJobId,
} from '../../bidding/approval-request.ts';
import { budgetType } from '../../query/project-rules.ts';
import {
  buttonElement,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText, jsonByteLength, splitIntoParts } from '../kit/long-text.ts';
import {
  clipText,
  codeText,
  countHiddenCharacters,
  formatDate,
  revealText,
  safeLine,
} from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import { clientLine } from '../kit/project/client.ts';
import { projectBudgetText, projectLink } from '../kit/project/project-lines.ts';
import { listProjectRedFlags } from '../kit/project/red-flags.ts';
import {
  findDisqualificationReason,
  jobLabel,
  marketplaceTimeText,
  setupNameText,
} from '../kit/words/job-text.ts';
import { disqualifiedBlock } from './bid-buttons.ts';
import { type TemplatePreview, templateBlocks } from './bid-form-preview.ts';
import { bidAmountText } from './bid-lines.ts';
import { bidWarningText } from './bid-warnings.ts';

/** How much of the letter and the answers shows; the rest is behind Review. */
const ROOM = {
  message: { letter: 1_500, answers: 3, answer: 300, isWhole: false },
  modal: { letter: Number.MAX_SAFE_INTEGER, answers: 50, isWhole: true, answer: 0 },
} as const;
type Room = keyof typeof ROOM;

/** mrkdwn. @param name stands for a missing title */
export function subjectLink(subject: ApprovalSubject, name: string): string {
  const title = findApprovalTitle(subject);
  const url = subject.project?.url ?? subject.bid?.url ?? '';
  return title ? projectLink({ title, url }) : name;
}

function projectText(subject: ApprovalSubject): string {
  const { project, job } = subject;
  const flags = project ? listProjectRedFlags(project) : [];
  const name = job.id === undefined ? 'Untitled project' : capitalize(jobLabel(job.id));
  return joinLines(
    `*${subjectLink(subject, name)}*`,
    joinFacts(projectBudgetText(project?.budget), project && clientLine(project.client)) ||
      'Budget and client unknown.',
    ...flags.map((flag) => `:triangular_flag_on_post: ${flag}`),
  );
}

function amountName({ project }: ApprovalSubject): string {
  const type = budgetType(project?.budget);
  return type === undefined ? 'Bid amount' : { hourly: 'Hourly rate', fixed: 'Fixed price' }[type];
}

function amountText({ bid, job }: ApprovalSubject): string {
  const ours = bid?.request.bidAmount;
  const theirs = bidAmountText(job.bidAmount);
  if (ours === undefined) {
    if (theirs) return theirs;
    return bid ? 'from the setup' : 'unknown';
  }
  const isSame = theirs === undefined || theirs === formatMoney(ours);
  return isSame ? formatMoney(ours) : `${formatMoney(ours)} (the marketplace shows ${theirs})`;
}

function boostText({ bid }: ApprovalSubject): string {
  if (!bid) return 'unknown';
  const { boostConnects } = bid.request;
  return boostConnects ? formatCount(boostConnects, 'connect') : 'none';
}

function scheduleText({ job, bid }: ApprovalSubject): string {
  if (job.scheduledAt)
    return `${marketplaceTimeText(job.scheduledAt)}, or once it's approved, if that's later`;
  const { scheduledAt, scheduledInMinutes } = bid?.request ?? {};
  if (scheduledAt !== undefined) return formatDate(scheduledAt);
  if (scheduledInMinutes !== undefined)
    return `${formatCount(scheduledInMinutes, 'minute')} after the bid was created`;
  return bid ? 'by the setup' : 'unknown';
}

function costText(subject: ApprovalSubject): string {
  const { bid } = subject;
  const price = findConnectsPrice(subject);
  const boost = bid?.request.boostConnects ?? 0;
  if (price === undefined)
    return boost > 0 ? `unknown, plus ${formatCount(boost, 'connect')} for the boost` : 'unknown';
  if (!bid) return `${formatCount(price, 'connect')}, plus any boost`;
  if (boost === 0) return formatCount(price, 'connect');
  const parts = `${formatNumber(price)} for the bid, ${formatNumber(boost)} for the boost`;
  return `${formatCount(price + boost, 'connect')} (${parts})`;
}

/** `Fixed price: $450. Cost: 28 connects (16 for the bid, 12 for the boost).` Plain text, and safe mrkdwn. */
export function approvalTerms(subject: ApprovalSubject): string {
  return `${amountName(subject)}: ${amountText(subject)}. Cost: ${costText(subject)}.`;
}

function termsText(subject: ApprovalSubject): string {
  const id = findJobId(subject);
  const { projectId } = subject.bid?.request ?? {};
  return joinLines(
    id && `*Project ~ID:* ${codeText(id, 100)}`,
    projectId === undefined ? undefined : `*Project number:* ${projectId}`,
    `*Bidding setup:* ${setupNameText(subject.job) ?? 'unknown'}`,
    `*${amountName(subject)}:* ${amountText(subject)}`,
    `*Boost:* ${boostText(subject)}`,
    `*Scheduled:* ${scheduleText(subject)}`,
    `*Cost:* ${costText(subject)}`,
  );
}

/** If the ID that is sent isn't known to be that of the project above. mrkdwn. */
function doubtBlocks({ doubt }: ApprovalSubject): KnownBlock[] {
  if (!doubt) return [];
  const title = doubt.kind === 'other' ? safeLine(doubt.title ?? '', 150) : '';
  const words =
    doubt.kind === 'other'
      ? `:warning: *Its ~ID is another project's${title ? `: ${title}` : ''}.* The bid goes to that one.`
      : ":warning: *Check the ~ID: Gigdesk can't confirm that it's this project's.* " +
        'The client counts as unknown.';
  return [sectionBlock(words)];
}

const ELSEWHERE =
  ":information_source: This bid was made outside Gigdesk. The marketplace's API doesn't return its " +
  'cover letter, answers and boost. Check them in the dashboard before you approve.';
const NO_RECORD =
  ":information_source: Gigdesk doesn't have the request that created this bid anymore. The marketplace's " +
  "API doesn't return its cover letter, answers and boost. Check them in the dashboard before you approve.";

function letterBlocks({ bid, template }: ApprovalSubject, room: Room): KnownBlock[] {
  if (!bid) return [];
  const { coverLetter = '' } = bid.request;
  const whole = revealText(coverLetter);
  if (!whole) {
    const from = template === 'none' ? 'none, and the setup has no template' : "from the setup's template";
    return [sectionBlock(`*Cover letter:* ${from}.`)];
  }
  const hidden = countHiddenCharacters(coverLetter);
  const warning = hidden > 0 ? `, ${formatNumber(hidden)} of them hidden and shown like [U+200B]` : '';
  const head = `*Cover letter* (${formatCount(coverLetter.length, 'character')}${warning})`;
  return [sectionBlock(head), ...splitIntoParts(clipText(whole, ROOM[room].letter)).map(plainTextSection)];
}

function answerBlocks({ bid, template }: ApprovalSubject, room: Room): KnownBlock[] {
  if (!bid) return [];
  const answers = bid.request.answers ?? [];
  if (answers.length === 0) {
    const from = template === 'none' ? 'none' : "from the setup's template, if there are screening questions";
    return [sectionBlock(`*Answers:* ${from}.`)];
  }
  const { answers: most, answer: longest, isWhole } = ROOM[room];
  const shown = answers.slice(0, most).flatMap(({ question, answer }) => {
    const texts = [question, answer].map((text) => {
      const whole = revealText(text);
      return isWhole || whole.length <= longest ? whole : excerptText(text, longest);
    });
    return splitIntoParts(texts.join('\n')).map(plainTextSection);
  });
  const more = answers.length - most;
  return [
    sectionBlock(`*Answers* (${formatNumber(answers.length)})`),
    ...shown,
    ...(more > 0 ? [contextBlock(`${formatCount(more, 'more answer')}.`)] : []),
  ];
}

/** Of Slack's 100 blocks and 250,000 bytes of a window; the rest is for what isn't a stranger's text. */
const MOST_BLOCKS = 75;
const MOST_BYTES = 200_000;

function textBlocks(subject: ApprovalSubject, room: Room): KnownBlock[] {
  return [...letterBlocks(subject, room), ...answerBlocks(subject, room)];
}

/** As many blocks as fit in a window. The longest texts of a form in a wide script don't. */
function fitInWindow(blocks: readonly KnownBlock[]): KnownBlock[] {
  let bytes = 0;
  return blocks.slice(0, MOST_BLOCKS).filter((block) => {
    bytes += jsonByteLength(JSON.stringify(block));
    return bytes <= MOST_BYTES;
  });
}

/** Whether the bid leaves its letter to a template of its setup, as far as known. */
function leavesLetterOpen({ bid, template }: ApprovalSubject): boolean {
  return bid !== undefined && !bid.request.coverLetter && template !== 'none';
}

/** Whether a message leaves out a text that the bid sends: then it offers Review, not Approve. */
export function needsReview(subject: ApprovalSubject): boolean {
  if (leavesLetterOpen(subject)) return true;
  const { bid } = subject;
  const { letter, answers: most, answer: longest } = ROOM.message;
  const { coverLetter = '', answers = [] } = bid?.request ?? {};
  const isLong = (text: string, limit: number) => text.length > limit || revealText(text).length > limit;
  return (
    isLong(coverLetter, letter) ||
    answers.length > most ||
    answers.some((each) => isLong(each.answer, longest) || isLong(each.question, longest))
  );
}

function projectBlocks(subject: ApprovalSubject): KnownBlock[] {
  const { job, project } = subject;
  const disqualified = findDisqualificationReason(job, project?.verdict);
  return [
    sectionBlock(projectText(subject)),
    ...(disqualified === undefined ? [] : [disqualifiedBlock(disqualified)]),
  ];
}

/** Unusual amounts and a repeated letter. */
export function subjectWarningBlocks({ bid, project, doubt }: ApprovalSubject): KnownBlock[] {
  return [...textSections(bid && bidWarningText(bid, doubt ? undefined : project?.budget))];
}

function termsBlocks(subject: ApprovalSubject): KnownBlock[] {
  return [
    sectionBlock(termsText(subject)),
    ...doubtBlocks(subject),
    ...subjectWarningBlocks(subject),
    ...(subject.bid ? [] : [contextBlock(subject.job.bid === undefined ? ELSEWHERE : NO_RECORD)]),
  ];
}

const READ_ALL =
  "This doesn't show everything that will be sent. To approve it, press Review and read the rest.";

/** The bid in a message, without its project; strangers' texts as plain text. */
export function approvalTermsBlocks(subject: ApprovalSubject): KnownBlock[] {
  return [
    ...termsBlocks(subject),
    ...textBlocks(subject, 'message'),
    ...(needsReview(subject) ? [contextBlock(READ_ALL)] : []),
  ];
}

/** What an approval sends, in a message. */
export function approvalMessageBlocks(subject: ApprovalSubject): KnownBlock[] {
  return [...projectBlocks(subject), ...approvalTermsBlocks(subject)];
}

const TEMPLATE_UNKNOWN =
  ":information_source: Gigdesk couldn't find this setup's template, so its letter isn't shown. " +
  'Check it in the dashboard before you approve.';

function leftOpenBlocks(subject: ApprovalSubject, template: TemplatePreview | undefined): KnownBlock[] {
  if (!template || template.state?.kind === 'not-found')
    return leavesLetterOpen(subject) ? [contextBlock(TEMPLATE_UNKNOWN)] : [];
  const { bidAmount, coverLetter, answers = [] } = subject.bid?.request ?? {};
  const own = { amount: bidAmount !== undefined, letter: Boolean(coverLetter), answers: answers.length > 0 };
  const what = 'Fields that this bid leaves empty';
  const blocks = templateBlocks(template, subject.project?.budget, what, own);
  if (template.state?.kind !== 'read') return blocks;
  const note = 'The template as last read. The marketplace uses it as it is when it bids.';
  return [...blocks, contextBlock(note)];
}

/** Everything that an approval sends. @param template missing: the bid leaves nothing to one that is known */
export function reviewContent(subject: ApprovalSubject, template: TemplatePreview | undefined) {
  const { answers = [] } = subject.bid?.request ?? {};
  const texts = [...textBlocks(subject, 'modal'), ...leftOpenBlocks(subject, template)];
  const shown = fitInWindow(texts);
  const fits = shown.length === texts.length && answers.length <= ROOM.modal.answers;
  const isLoading = leavesLetterOpen(subject) && template !== undefined && !template.state;
  const head = [...projectBlocks(subject), ...termsBlocks(subject)];
  return {
    blocks: [...head, ...shown, ...textSections(fits ? undefined : TOO_LONG)],
    /** Only then it can be approved in this window. */
    isWhole: fits && !isLoading,
  };
}

const TOO_LONG =
  ":warning: *The rest doesn't fit in a Slack window, so you can't approve this bid here.* " +
  'Approve it in the dashboard, or cancel it and send it with shorter texts.';

/** Only where a lookup can find the price, and its request can show it. */
export function priceButtons(subject: ApprovalSubject): Button[] {
  const { job, project } = subject;
  const canLookUp = project !== undefined || job.marketplaceJobId !== undefined;
  if (job.id === undefined || !job.review || findConnectsPrice(subject) !== undefined || !canLookUp)
    return [];
  return [
    buttonElement({
      id: actionIds.jobPrice,
      label: 'Look Up (1 Credit)',
      value: String(job.id),
      accessibilityLabel: `Look up the price of bid ${job.id} in connects, for 1 credit`,
    }),
  ];
}

const FACT_LABELS: Readonly<Record<ApprovalFactName, string>> = {
  job: 'Project key',
  'job-id': 'Project ~ID',
  'project-id': 'Project number',
  title: 'Project',
  budget: 'Budget',
  client: 'Client',
  setup: 'Bidding setup',
  rate: 'Bid amount',
  boost: 'Boost',
  schedule: 'Scheduled',
  letter: 'Cover letter',
  answers: 'Answers',
  verdict: 'AI verdict',
  connects: 'Cost in connects',
};

/** What differs, in lines. mrkdwn. */
export function changesText(changes: readonly ApprovalChange[]): string {
  const lines = changes.map(({ name, before, now }) => {
    const text = (value: string) =>
      name === 'schedule' ? marketplaceTimeText(value) : `“${safeLine(value, 120)}”`;
    const [was, is] = [before, now].map((value) => (value === undefined ? 'unknown' : text(value)));
    return `• ${FACT_LABELS[name]}: ${was} → ${is}`;
  });
  return joinLines(...lines);
}

/** Why nothing was sent, and what differs. mrkdwn. */
export function changedText(changes: readonly ApprovalChange[]): string {
  return joinLines(
    ':warning: *This bid changed after you opened it, so nothing was sent.* ' +
      'Check it below, then approve it again.',
    changesText(changes),
  );
}
