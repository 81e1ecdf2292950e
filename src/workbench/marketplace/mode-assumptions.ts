/**
 * What the API documentation leaves open, what the simulator answers by default, and which mode answers
 * differently. Every mode has a row, so that each assumption has a mode that breaks it.
 */
import type { MarketplaceModes } from './faults.ts';

interface Guess {
  /** The open question. */
  readonly open: string;
  /** The simulator's default answer. */
  readonly usual: string;
  /** The mode's answer. */
  readonly varied: string;
}

export const API_ASSUMPTIONS_BY_MODE: Readonly<Record<keyof MarketplaceModes, Guess>> = {
  ignoreLatestPublishedTs: {
    open: 'Does `latest_published_ts` filter a page?',
    usual: 'Yes.',
    varied: 'No, it has no effect.',
  },
  inclusiveLatestPublishedTs: {
    open: 'Does `latest_published_ts` include its own second?',
    usual: 'No, only later projects.',
    varied: 'Yes, that second and later.',
  },
  lossyCursor: {
    open: 'How do cursors treat projects with the same timestamp?',
    usual: 'Every project is listed.',
    varied: 'Projects after a page break are never listed.',
  },
  milliseconds: {
    open: 'Which unit do timestamps and cursors use?',
    usual: 'Seconds.',
    varied: 'Milliseconds.',
  },
  oldestFirst: { open: 'How are project lists sorted?', usual: 'Newest first.', varied: 'Oldest first.' },
  pageWidth: {
    open: 'What must fit within the credit balance?',
    usual: 'The projects the page would charge for.',
    varied: 'The projects the page returns, or its `limit`.',
  },
  refuseLimit: {
    open: 'Does every list accept `limit`?',
    usual: 'Yes, from 10 to 100.',
    varied: 'No, any `limit` returns 400.',
  },
  vagueRefusals: {
    open: "Does a 400 say what's wrong?",
    usual: 'Yes, it names the parameter.',
    varied: 'No (with `refuseLimit`).',
  },
  silentMarks: {
    open: 'Does an empty filter page include `latest_published_ts` and `next_cursor`?',
    usual: "Yes. `latest_published_ts` is the newest project's.",
    varied: 'No, both are missing.',
  },
  refuseFarMarks: {
    open: 'Can `latest_published_ts` be far in the future?',
    usual: 'Yes, the page is empty.',
    varied: 'No, more than a year ahead returns 400.',
  },
  extraFields: {
    open: 'Do responses have undocumented fields?',
    usual: 'No.',
    varied: 'Yes.',
  },
  missingFields: {
    open: 'Is every documented field always present?',
    usual: 'Yes.',
    varied: 'No, the chosen fields are missing.',
  },
  nullFields: {
    open: "Can a field be null if it isn't marked nullable?",
    usual: 'No.',
    varied: 'Yes, the chosen fields are null.',
  },
  nullsForEmpty: {
    open: 'How is a missing value written?',
    usual: 'An empty string or 0.',
    varied: 'Null.',
  },
  redirectUrls: {
    open: "Does a project's URL contain its `~ID`?",
    usual: 'Yes.',
    varied: 'No, the URL is a redirect with a `pid` that no endpoint accepts.',
  },
  skillsAsArray: {
    open: 'What type is `skills` in project lists?',
    usual: 'A string, as documented.',
    varied: 'An array.',
  },
  skippedIsNoSuccess: {
    open: 'Does a skipped job count as a success?',
    usual: 'Yes: `success: true`, with the job.',
    varied: 'No: `success: false` with the job and no `error`, as 200 or 400.',
  },
  longestJobText: {
    open: "How long can a job's cover letter and answers be?",
    usual: 'Any length.',
    varied: 'Limited: longer texts return 400.',
  },
  resetDate: {
    open: "How does the credits' `reset_date` change over time?",
    usual: "It's the end of the period, and moves when the period ends.",
    varied: "It's always 30 days from now, or wrong in 1 of 5 responses.",
  },
  dateAhead: {
    open: 'Do responses have a `Date` header?',
    usual: "Yes, and it's correct.",
    varied: "It's missing or wrong.",
  },
  senders: {
    open: 'Which fields does a proposal sender have?',
    usual: '`organization_id`, `name`, `type`, `contractors`.',
    varied: '`organization_name` with one row per contractor, `org`, or `people`.',
  },
  verdictFlags: {
    open: 'How does a verdict say whether a project qualifies?',
    usual: 'With a word in `decision`.',
    varied: "With `isQualified`, next to a `status` that doesn't matter.",
  },
  emptyResultsNotFound: {
    open: 'What does a filter without monitoring results return?',
    usual: 'An empty list.',
    varied: '404.',
  },
  reviewWords: {
    open: 'How is the status of a job in review written?',
    usual: '`pending_review`, “Pending review”.',
    varied: 'Similar words.',
  },
  echoedJobIds: {
    open: 'Which ID does a job show as `marketplace_job_id`?',
    usual: "The project's `~ID`.",
    varied: "The ID in the request, even if it's a UID.",
  },
  lists: {
    open: 'Which endpoints list profiles, organizations, and filters?',
    usual: 'None (404).',
    varied: 'One each. The list is under `data`, under its plural name, or a bare array.',
  },
};

/** As a table in Markdown. */
export function apiAssumptionsAsMarkdown(): string {
  const rows = Object.entries(API_ASSUMPTIONS_BY_MODE).map(
    ([mode, { open, usual, varied }]) => `| ${open} | ${usual} | ${varied} | \`${mode}\` |`,
  );
  return ['| question | default answer | other answer | mode |', '|---|---|---|---|', ...rows, ''].join('\n');
}
