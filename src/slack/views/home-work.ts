/** On a Home: jobs to approve, what the reader claimed, and what they have begun. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { mayAct } from '../../access/roles.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { channelLink, clip, date, link, mention, safeLine } from '../blocks/mrkdwn.ts';
import { approveOf } from '../messages/bid-buttons.ts';
import { amountText, jobText } from '../messages/bid-lines.ts';
import { excerpt } from '../messages/excerpt.ts';
import { disqualification, setupText } from '../messages/job-words.ts';
import { codeText } from '../messages/mistake.ts';
import { actions, button, confirm, line, lines, section } from '../messages/parts.ts';
import { projectLink } from '../messages/project-link.ts';
import { templateDraftText } from '../messages/template-list.ts';
import { ago } from '../messages/when.ts';
import { type HomeClaim, type HomeDraft, type HomeFacts, isDirect, type WaitingJob } from './home-facts.ts';
import { header, restBlocks } from './home-parts.ts';
import { claimValue, templateValue } from './home-values.ts';

const LONGEST_REASON = 300;

function placeText({ job, by }: WaitingJob): string {
  if (!isDirect(job.channel)) return channelLink(job.channel);
  return by ? `bid by ${mention(by)} in a direct message` : 'from a direct message';
}

function jobBlock(waiting: WaitingJob): KnownBlock {
  const { job, title = '', verdict } = waiting;
  const reason = disqualification(job, verdict);
  const why = reason === undefined ? '' : excerpt(cleanLine(reason), LONGEST_REASON);
  const approve: Button = { ...approveOf(job, { title, verdict }), action_id: actionIds.homeApprove };
  // One bold button among many would only say that it stands first.
  delete approve.style;
  return section(
    lines(
      `*${safeLine(title, 150) || `Job #${job.id}`}*`,
      line(placeText(waiting), setupText(job), amountText(job.bidAmount), `since ${date(job.knownAt)}`),
      jobText(job),
      reason === undefined
        ? undefined
        : `:no_entry_sign: The AI disqualified this project${why ? `: ${safeLine(why, LONGEST_REASON * 2)}` : ' (no reason given).'}`,
    ),
    approve,
  );
}

export function waitingBlocks({ waiting }: HomeFacts): KnownBlock[] {
  if (waiting.shown.length === 0) return [];
  return [
    header('Waiting for your approval'),
    ...waiting.shown.map(jobBlock),
    ...restBlocks(waiting, `See their cards, or use ${codeText('/gig job <id>')}.`),
  ];
}

function claimBlock(claim: HomeClaim): KnownBlock {
  const isProject = claim.kind === 'project';
  const title = isProject ? claim.project.title : claim.title;
  const { channel } = claim;
  const value = claimValue.write(
    isProject ? { channel, project: claim.project.key } : { channel, uid: claim.uid },
  );
  const name = isProject
    ? projectLink(claim.project)
    : `Invitation: ${safeLine(title, 150) || 'untitled project'}`;
  return section(
    lines(
      `*${name}*`,
      line(
        `claimed ${ago(claim.at)} in ${channelLink(channel)}`,
        claim.link && link(claim.link, 'view card'),
      ),
    ),
    button({ id: actionIds.homeRelease, label: 'Release', value, spoken: `Release: ${title}` }),
  );
}

export function claimBlocks({ claims }: HomeFacts): KnownBlock[] {
  if (claims.shown.length === 0) return [];
  return [
    header('Claimed by you'),
    ...claims.shown.map(claimBlock),
    ...restBlocks(claims, 'See their cards in the channels.'),
  ];
}

interface DraftWords {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  readonly resume: string;
  readonly discard: string;
}

function wordsOfBid({ id, title, url = '', channel, form, at }: BidDraft): DraftWords {
  const typed = form.coverLetter ? 'cover letter started' : undefined;
  const where = isDirect(channel) ? undefined : `in ${channelLink(channel)}`;
  return {
    text: lines(
      `Bid: *${projectLink({ title, url })}*`,
      line(where, typed, `changed ${ago(at)}`, form.at === undefined ? undefined : `for ${date(form.at)}`),
    ),
    name: title,
    value: id,
    resume: actionIds.homeBidResume,
    discard: actionIds.homeBidDiscard,
  };
}

/** A template belongs to no channel; the builder is opened from one where the reader may build it. */
function wordsOfTemplate(draft: TemplateDraft, { channels }: HomeFacts): DraftWords {
  const place = channels.find(({ role }) => mayAct(role, 'bidder'))?.channel;
  return {
    text: `Template: ${templateDraftText(draft)}`,
    name: draft.form.name || 'untitled template',
    value: templateValue.write({ draft: draft.id, ...(place ? { channel: place } : {}) }),
    resume: actionIds.homeTemplateResume,
    discard: actionIds.homeTemplateDiscard,
  };
}

function draftBlocks(it: HomeDraft, facts: HomeFacts): KnownBlock[] {
  const words = it.kind === 'bid' ? wordsOfBid(it.draft) : wordsOfTemplate(it.draft, facts);
  const { text, name, value, resume, discard } = words;
  if (it.kind === 'template' && it.draft.state === 'sending') return [section(text)];
  const called = clip(cleanLine(name), 60);
  return [
    section(text),
    actions([
      button({ id: resume, label: 'Resume', value, spoken: `Resume: ${called}` }),
      button({
        id: discard,
        label: 'Discard',
        value,
        spoken: `Discard: ${called}`,
        confirm: confirm('Discard this draft?', 'This permanently deletes what you entered.', 'Discard'),
      }),
    ]),
  ];
}

export function draftsBlocks(facts: HomeFacts): KnownBlock[] {
  const { drafts } = facts;
  if (drafts.shown.length === 0) return [];
  return [
    header('Your drafts'),
    ...drafts.shown.flatMap((each) => draftBlocks(each, facts)),
    ...restBlocks(
      drafts,
      '`/gig template drafts` lists your template drafts. To continue a bid, press Bid on its card.',
    ),
  ];
}
