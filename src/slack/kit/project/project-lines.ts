/** A project on one line, and that line's parts; answers where no project was found. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../../clock.ts';
import type { ProjectReference } from '../../../marketplace/client.ts';
import { hasLinkWithoutProjectId } from '../../../marketplace/project-key.ts';
import type { ListedProject, LookedUpProject, Verdict } from '../../../marketplace/schema.ts';
import { isProjectQualified } from '../../../marketplace/wire/verdict.ts';
import { NOT_FOUND_TTL_MS } from '../../../projects/lookup-cache.ts';
import type { Message } from '../../core/routes.ts';
import { actionsBlock, buttonElement, joinFacts, joinLines, sectionBlock } from '../block-builders.ts';
import { inputErrorMessage } from '../command-text.ts';
import { actionIds } from '../ids.ts';
import { codeText, formatDate, formatLink, formatTimeAgo, safeLine, safeUrl } from '../mrkdwn.ts';
import { joinWithMore } from '../numbers.ts';

/** A project from a list, plus the lookup's data if there was one. */
export type ProjectWithLookup = Omit<ListedProject, 'verdict'> &
  Pick<Partial<ListedProject>, 'verdict'> &
  Partial<Omit<LookedUpProject, keyof ListedProject>>;

/** The title as a mrkdwn link, or without one if the URL can't be linked. */
export function projectLink({ title, url }: Pick<ListedProject, 'title' | 'url'>, max = 150): string {
  const label = safeLine(title, max) === '' ? 'Untitled project' : title;
  // A longer URL would crowd out the message; real project URLs are far shorter.
  return (safeUrl(url)?.length ?? Number.POSITIVE_INFINITY) <= 600
    ? formatLink(url, label, max)
    : safeLine(label, max);
}

/** `$500 fixed`, `$30-$50 hourly`; undefined if unknown. mrkdwn. */
export function projectBudgetText(budget: ListedProject['budget']): string | undefined {
  // Such as `$0.00`: the client named no amount.
  const amount = safeLine(budget?.amount ?? '', 40).replace(/^(?=.*0)[^1-9]*$/u, '');
  const type = safeLine(budget?.type ?? '', 30).toLowerCase();
  return [amount, type].filter((part) => part !== '').join(' ') || undefined;
}

/** `Skills: React, Node.js, 3 more`; undefined if there are none. mrkdwn. */
export function skillsLine(skills: readonly string[]): string | undefined {
  if (skills.length === 0) return undefined;
  return `Skills: ${joinWithMore(skills, 12, (skill) => safeLine(skill, 40))}`;
}

const PLAIN_WORDS: Readonly<Record<string, string>> = { true: 'qualified', false: 'not qualified' };

function sign(verdict: Verdict): string {
  const suits = isProjectQualified(verdict);
  if (suits === undefined) return '';
  return suits ? ':white_check_mark: ' : ':no_entry_sign: ';
}

/**
 * `:white_check_mark: *AI: qualified* – reason`; undefined while there is no verdict. Its values are not
 * documented, so unknown ones show unchanged. mrkdwn.
 */
export function verdictLine(verdict: Verdict | undefined, max: number): string | undefined {
  if (!verdict) return undefined;
  const word = safeLine(verdict.decision ?? '', 40).toLowerCase();
  const decision = PLAIN_WORDS[word] ?? word;
  const reason = safeLine(verdict.reason ?? '', max);
  if (!decision && !reason) return undefined;
  if (!decision) return `*AI:* ${reason}`;
  return `${sign(verdict)}*AI: ${decision}*${reason ? ` – ${reason}` : ''}`;
}

/** The verdict with its score and date. mrkdwn; undefined while there is no verdict. */
export function verdictDetailsText(verdict: Verdict | undefined): string | undefined {
  const { score, decidedAt } = verdict ?? {};
  const words = verdictLine(verdict, 500);
  const more = joinFacts(
    score === undefined ? undefined : `AI score ${Math.round(score * 100) / 100}`,
    decidedAt === undefined ? undefined : `decided ${formatTimeAgo(decidedAt)}`,
  );
  return joinLines(words, more) || undefined;
}

/** `• Title · $500 fixed · Germany`. mrkdwn. */
export function projectRow(project: ListedProject): string {
  return joinFacts(
    `• ${projectLink(project, 100)}`,
    projectBudgetText(project.budget),
    project.client.country && safeLine(project.client.country, 40),
    verdictLine(project.verdict, 60),
  );
}

/** Rows with buttons: two blocks per project. */
export function projectRowsWithButtons(projects: readonly ListedProject[]): KnownBlock[] {
  return projects.flatMap((project) => [
    sectionBlock(projectRow(project)),
    actionsBlock([
      buttonElement({
        id: actionIds.resultBid,
        label: 'Bid',
        value: project.key,
        accessibilityLabel: `Bid on ${project.title}`,
      }),
      buttonElement({
        id: actionIds.resultDetails,
        label: 'Details',
        value: project.key,
        accessibilityLabel: `Details of ${project.title}`,
      }),
    ]),
  ]);
}

/** @param example without `/gig`. */
export function invalidProjectReferenceMessage(words: string, example: string): Message {
  const what = hasLinkWithoutProjectId(words)
    ? "This link has no `~ID`. Paste the project's own link, or its `~ID`."
    : `${codeText(words, 100)} isn't a project link, \`~ID\` or UID. Project links contain \`~\` and digits.`;
  return inputErrorMessage(what, example);
}

const WHY = 'It may be private or removed. Check that the link is complete.';

/** @param askedAt when the marketplace answered, if the answer was cached. */
function whenAsked(askedAt: Instant | undefined): string | undefined {
  if (askedAt === undefined) return undefined;
  return (
    `Last checked ${formatTimeAgo(askedAt)}. ` +
    `You can look it up again at ${formatDate(askedAt + NOT_FOUND_TTL_MS, 'time')}.`
  );
}

export function projectNotFoundMessage(askedAt?: Instant): Message {
  return { text: joinLines(`Couldn't find this project in the marketplace. ${WHY}`, whenAsked(askedAt)) };
}

/** Like `projectNotFoundMessage`, and names the project. */
export function referencedProjectNotFoundMessage(asked: ProjectReference, askedAt?: Instant): Message {
  const knowsNone = `Couldn't find project ${projectReferenceText(asked)} in the marketplace. ${WHY}`;
  return { text: joinLines(knowsNone, whenAsked(askedAt)) };
}

/** Names a project whose title is unknown. mrkdwn. */
export function projectReferenceText(asked: ProjectReference): string {
  return codeText('ciphertext' in asked ? asked.ciphertext : asked.uid, 100);
}
