/**
 * What the description of the API leaves open, what the simulator answers by default, and which mode answers differently.
 * Every mode has a row, so that no assumption is made without one that breaks it.
 */
import type { Modes } from './faults.ts';

interface Guess {
  /** What the description doesn't say. */
  readonly open: string;
  /** The simulator's usual answer. */
  readonly usual: string;
  /** What the mode answers instead. */
  readonly varied: string;
}

export const GUESSES: Readonly<Record<keyof Modes, Guess>> = {
  ignoreLatestPublishedTs: {
    open: 'Whether `latest_published_ts` narrows a page.',
    usual: 'It does.',
    varied: 'It has no effect.',
  },
  inclusiveLatestPublishedTs: {
    open: 'Whether `latest_published_ts` includes its own moment.',
    usual: 'Later projects only.',
    varied: 'That moment and later.',
  },
  lossyCursor: {
    open: 'How cursors treat projects of one second.',
    usual: 'All of them are listed.',
    varied: 'Those after a page break are never listed.',
  },
  milliseconds: {
    open: 'The unit of timestamps and cursors.',
    usual: 'Seconds.',
    varied: 'Milliseconds.',
  },
  oldestFirst: { open: 'The order of project lists.', usual: 'Newest first.', varied: 'Oldest first.' },
  pageWidth: {
    open: 'What must fit the balance.',
    usual: 'The projects that the page would charge.',
    varied: 'The projects it returns, or its `limit`.',
  },
  refuseLimit: {
    open: 'Whether every list takes `limit`.',
    usual: 'It does, from 10 to 100.',
    varied: 'Any `limit` is 400.',
  },
  vagueRefusals: {
    open: 'Whether a 400 says what is wrong.',
    usual: 'It names the parameter.',
    varied: "It doesn't (with `refuseLimit`).",
  },
  silentMarks: {
    open: 'Whether an empty page of a filter shows `latest_published_ts` and `next_cursor`.',
    usual: 'It does; the first is that of the newest project.',
    varied: 'It shows neither.',
  },
  refuseFarMarks: {
    open: 'Whether `latest_published_ts` may lie far ahead.',
    usual: 'It may; the page is empty.',
    varied: 'More than a year ahead is 400.',
  },
  extraFields: {
    open: 'Whether answers hold fields that no table names.',
    usual: 'They hold none.',
    varied: 'They do.',
  },
  missingFields: {
    open: 'Whether every documented field is always there.',
    usual: 'It is.',
    varied: 'The chosen fields are missing.',
  },
  nullFields: {
    open: 'Whether fields that are not marked nullable can be null.',
    usual: 'They are not.',
    varied: 'The chosen fields are null.',
  },
  nullsForEmpty: {
    open: 'How a value that a record does not have is written.',
    usual: 'As an empty string or 0.',
    varied: 'As null.',
  },
  redirectUrls: {
    open: "Whether a project's url shows its `~ID`.",
    usual: 'It does.',
    varied: 'The url is a redirect with a `pid` that no endpoint takes.',
  },
  skillsAsArray: {
    open: 'Whether `skills` of listed projects is really a string.',
    usual: 'One string, as documented.',
    varied: 'An array.',
  },
  skippedIsNoSuccess: {
    open: 'Whether a skipped job is a success.',
    usual: 'It is: `success: true`, with the job.',
    varied: '`success: false` with the job and no `error`, as 200 or 400.',
  },
  longestJobText: {
    open: "How long a job's cover letter and answers may be.",
    usual: 'Any length.',
    varied: 'Longer texts are refused with 400.',
  },
  resetDate: {
    open: "What the credits' `reset_date` does over time.",
    usual: 'It is the end of the period, and moves once it has passed.',
    varied: 'It is always 30 days from now, or wrong in one answer of five.',
  },
  dateAhead: {
    open: 'Whether answers carry a `Date` header.',
    usual: 'They do, and it is right.',
    varied: 'It is missing, or wrong.',
  },
  senders: {
    open: 'The fields of a proposal sender.',
    usual: '`organization_id`, `name`, `type`, `contractors`.',
    varied: '`organization_name` and one row a contractor; `org`; `people`.',
  },
  verdictFlags: {
    open: 'How a verdict says whether a project suits.',
    usual: 'By a word in `decision`.',
    varied: 'By `isQualified`, beside a `status` that decides nothing.',
  },
  emptyResultsNotFound: {
    open: 'What a filter without monitoring results answers.',
    usual: 'An empty list.',
    varied: '404.',
  },
  reviewWords: {
    open: 'How the state of a job that waits for review is written.',
    usual: '`pending_review`, “Pending review”.',
    varied: 'Other words of the same family.',
  },
  echoedJobIds: {
    open: 'Which id a job shows as `marketplace_job_id`.',
    usual: "The project's `~ID`.",
    varied: 'The one that was asked for, a uid too.',
  },
  lists: {
    open: 'The lists of profiles, organizations and filters.',
    usual: 'There are none (404).',
    varied: 'Three frames: `data`, the plural name, a bare array.',
  },
};

/** The table for the documentation, as Markdown. */
export function guessesAsMarkdown(): string {
  const rows = Object.entries(GUESSES).map(
    ([mode, { open, usual, varied }]) => `| ${open} | ${usual} | ${varied} | \`${mode}\` |`,
  );
  return ['| left open | usual answer | varied answer | mode |', '|---|---|---|---|', ...rows, ''].join('\n');
}
