/** What has become of a proposal, as a message of its own; and one line for those that came with many others. */
import type { Outcome, OutcomeNews, OutcomesRest } from '../../outbox/outcome-news.ts';
import { date, safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { costAndPlace } from './job-words.ts';
import { codeText } from './mistake.ts';
import { outcomeSign, outcomeWord, outcomeWords } from './outcome-words.ts';
import { capital, context, line, lines, section } from './parts.ts';

function templateText({ template, variant }: OutcomeNews): string | undefined {
  const name = safeLine(template ?? '', 80);
  const letter = safeLine(variant ?? '', 40);
  if (!letter) return name && `template ${name}`;
  return name ? `template ${name}, variant ${letter}` : `variant ${letter}`;
}

function factsText(news: OutcomeNews): string {
  const { submittedAt } = news;
  return lines(
    line(
      // A freelancer's profile bears the freelancer's name.
      ...new Set([safeLine(news.freelancer ?? '', 80), safeLine(news.profile ?? '', 80)]),
      submittedAt === undefined || submittedAt < 0 ? undefined : `sent ${date(submittedAt)}`,
    ),
    line(costAndPlace(news), templateText(news)),
  );
}

/** `Hired: Rebuild our checkout`, with what it cost and who sent it. */
export function outcomeMessage(news: OutcomeNews): Message {
  const what = capital(outcomeWords(news.outcomes)) || 'Updated';
  const title = safeLine(news.title ?? '', 150) || `proposal ${news.proposal}`;
  const facts = factsText(news);
  return {
    text: `${what}: ${title}`,
    blocks: [
      section(lines(`${outcomeSign(news.outcomes)} *${what}: ${title}*`, facts)),
      context(`See it in full with ${codeText(`/gig proposal ${news.proposal}`)}.`),
    ],
  };
}

/** The search that lists them. */
const SEARCH: Readonly<Record<Outcome, string>> = {
  viewed: 'is:viewed',
  interviewed: 'is:interviewed',
  hired: 'is:hired',
  withdrawn: 'is:withdrawn',
  outbid: 'is:outbid',
};

/** `Updates on 190 more proposals: 185 viewed, 5 boost outbid.` */
/** Or `Proposal updates while Gigdesk couldn't post here: 185 viewed, 5 boost outbid.` */
export function outcomesRestMessage({ proposals, counts, heldBack }: OutcomesRest): Message {
  const each = counts.map(({ outcome, count: many }) => `${number(many)} ${outcomeWord(outcome)}`).join(', ');
  const searches = counts.map(({ outcome }) => codeText(`/gig proposals ${SEARCH[outcome]}`)).join(' or ');
  const what = heldBack
    ? "Proposal updates while Gigdesk couldn't post here:"
    : `Updates on ${count(proposals, 'more proposal')}:`;
  return {
    text: lines(`:inbox_tray: *${what}* ${each}.`, searches && `See them with ${searches}.`),
  };
}
