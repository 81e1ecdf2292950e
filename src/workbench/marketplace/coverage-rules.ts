/** Coverage: the rules of docs/marketplace-api.md, by subject. */
import type { CoverageRow } from './coverage-row.ts';

export const ACCESS = [
  {
    id: 'token',
    section: 'Authentication, 1 and 4',
    rule: 'Without a valid `X-API-TOKEN` a request is 401.',
    how: 'chosen',
    choice: 'Such a request belongs to no subscription and counts in no rate window.',
  },
  {
    id: 'https',
    section: 'Authentication, 3',
    rule: 'Plain HTTP fails.',
    how: 'chosen',
    choice: 'The simulator speaks plain HTTP, on the loopback alone.',
  },
  {
    id: 'inactive-subscription',
    section: 'Authentication, 6',
    rule: 'An inactive subscription is 402.',
    how: 'chosen',
    choice: 'The body is `{ error: "Subscription inactive" }`, for every endpoint.',
  },
  {
    id: 'plan-without-api',
    section: 'Authentication, 6',
    rule: 'A plan without API access is 403.',
    how: 'simulated',
  },
  {
    id: 'not-found',
    section: 'Errors',
    rule: 'What does not exist is 404 with `{ error }`.',
    how: 'chosen',
    choice: 'So is a path or a method that is not described; an id in the path that is no number is 400.',
  },
  {
    id: 'json-bodies',
    section: 'Head of the description',
    rule: 'Bodies are JSON with that content type.',
    how: 'chosen',
    choice: 'A body with another content type is 400.',
  },
  {
    id: 'rate-limit',
    section: 'Limits',
    rule: 'More than 30 requests a minute are 429 with the documented body.',
    how: 'chosen',
    choice:
      'Any 60 s, sliding; a refused request does not count, so it never prolongs the wait; there are no rate headers unless a fault brings them.',
  },
  {
    id: 'rate-limit-of-five',
    section: 'Limits',
    rule: 'A second statement gives 5 requests a minute.',
    how: 'simulated',
  },
  {
    id: 'pagination-bounds',
    section: 'Limits',
    rule: '`limit` is 10 to 100 and 20 by default, `page` at least 1; anything else is 400.',
    how: 'simulated',
  },
  {
    id: 'timestamps',
    section: 'Resources, Pagination objects',
    rule: '`next_cursor`, `latest_published_ts` and `publishedTimestamp` are integers.',
    how: 'chosen',
    choice: 'Seconds since 1970, or milliseconds in the mode `milliseconds`.',
  },
  {
    id: 'nothing-to-tell',
    section: 'Resources',
    rule: 'What is not marked nullable is never null.',
    how: 'chosen',
    choice:
      'What has not happened is the empty string, an amount that does not apply is 0; the mode `nullsForEmpty` answers null for both.',
  },
] as const satisfies readonly CoverageRow[];

export const CREDITS = [
  {
    id: 'credits-once-a-period',
    section: 'Limits',
    rule: 'A project costs one credit the first time it is returned in a period, whichever endpoint returns it.',
    how: 'simulated',
  },
  {
    id: 'credits-free-endpoints',
    section: 'What the service does, 2',
    rule: "The team's own data costs nothing.",
    how: 'simulated',
  },
  {
    id: 'credits-all-or-nothing',
    section: 'Errors, 1',
    rule: 'A page wider than the balance is 402 with the numbers, and nothing is consumed.',
    how: 'chosen',
    choice:
      'A page is as wide as the number of projects it would charge, since repeated paging costs nothing; the mode `pageWidth` makes it the projects returned, or `limit`.',
  },
  {
    id: 'credits-smaller-page',
    section: 'Errors, 2',
    rule: 'With credits left, a smaller `limit` that fits can succeed.',
    how: 'simulated',
  },
  {
    id: 'credits-period',
    section: 'Limits',
    rule: 'Credits are counted per billing period.',
    how: 'chosen',
    choice:
      'A period is 30 days from the start; then the balance is full again and every project is new. The mode `resetDate` names another end: 30 days from each answer, or a wrong one now and then.',
  },
  {
    id: 'credits-top-up',
    section: 'Limits',
    rule: 'Paid plans can add credits.',
    how: 'chosen',
    choice: 'Added credits end with the period.',
  },
  {
    id: 'credits-trial',
    section: 'Limits',
    rule: 'A trial has 50 credits in all and no top-up.',
    how: 'chosen',
    choice: 'A trial is one period; after it the subscription is inactive.',
  },
] as const satisfies readonly CoverageRow[];

export const PROJECTS = [
  {
    id: 'list-order',
    section: 'Endpoints, Projects',
    rule: 'The order of project lists: not stated.',
    how: 'chosen',
    choice: 'Newest first; the mode `oldestFirst` turns it round.',
  },
  {
    id: 'list-cursor',
    section: 'Endpoints, Projects',
    rule: '`next_cursor` is a timestamp cursor.',
    how: 'chosen',
    choice:
      "It is the second of the next project, and the next page begins at it: projects of one second may come twice, and with more of them in one second than `limit` the cursor stops moving. The mode `lossyCursor` makes it the last returned one, exclusive. On the last page it is the last project's second.",
  },
  {
    id: 'list-latest',
    section: 'Endpoints, Projects',
    rule: '`latest_published_ts` as a parameter and in the answer.',
    how: 'chosen',
    choice:
      "The parameter leaves projects that were published after that second; `total` counts these. The answer's is the filter's newest project of all, 0 when it has none. Modes: `ignoreLatestPublishedTs`, `inclusiveLatestPublishedTs`.",
  },
  {
    id: 'qualification',
    section: 'Resources, Qualification rules',
    rule: 'Null without a qualifier or before it is qualified; reason and time are null until decided; reading runs nothing.',
    how: 'chosen',
    choice: 'One further field, `decision`: `qualified`, `disqualified` or null. Mode: `verdictFlags`.',
  },
  {
    id: 'lookup-one-of',
    section: 'Endpoints, Projects',
    rule: 'Lookup takes `ciphertext` or `uid`, not both.',
    how: 'chosen',
    choice: 'Both, neither, or a ciphertext that is not a tilde and digits: 400.',
  },
  {
    id: 'records-by-profile',
    section: 'Endpoints, Proposals and invitations',
    rule: '`profileId` is required, `organizationId` narrows, `sort` and `order` are enums, `DESC` by default.',
    how: 'simulated',
  },
] as const satisfies readonly CoverageRow[];

export const TEMPLATES = [
  {
    id: 'template-errors-together',
    section: 'Errors',
    rule: 'All failing fields come in one answer, each by its dot path.',
    how: 'chosen',
    choice: 'Array items are numbered (`answers.0.question`); a body that is no object fails as `body`.',
  },
  {
    id: 'template-bounds',
    section: 'Resources, ProposalTemplate input',
    rule: 'Every bound of the table is checked.',
    how: 'chosen',
    choice: 'Lengths count code points; the two smart rates are compared when both are given.',
  },
  {
    id: 'template-model',
    section: 'Resources, ProposalTemplate input',
    rule: 'An unknown model is a field error, null is the default model.',
    how: 'chosen',
    choice: 'The catalog is not described: `swift-1`, `balanced-2`, `thorough-3`.',
  },
  {
    id: 'template-sender',
    section: 'Resources, ProposalTemplate input',
    rule: 'An agency needs a contractor, a freelancer must have none.',
    how: 'chosen',
    choice: 'An organization or a contractor that no sender has is a field error.',
  },
] as const satisfies readonly CoverageRow[];

export const BIDDING = [
  {
    id: 'job-fields',
    section: 'Endpoints, Auto bidding',
    rule: 'Bounds of the body; which fields are required and the statuses of errors: not shown.',
    how: 'chosen',
    choice:
      '`setup_id` is required, and `marketplace_job_id` or `project_id`; a wrong field is 400 `{ error }`, an unknown setup or project 404 `{ error }`. A setup of any status may bid. Texts have no bound, but for a mode.',
  },
  {
    id: 'job-schedule',
    section: 'Endpoints, Auto bidding',
    rule: '`scheduled_at` in both forms and in the future, before `scheduled_in` of 15 to 60 minutes.',
    how: 'chosen',
    choice:
      "The SQL form is read as UTC; with `scheduled_at`, `scheduled_in` is not looked at; without both the job waits for the setup's delay. Fair-slot scheduling is not simulated.",
  },
  {
    id: 'job-duplicates',
    section: 'States, Auto bidding job',
    rule: 'Duplicates are detected.',
    how: 'chosen',
    choice:
      "A second job for a project, from whichever setup, is 400 `{ success: false, error, job_id }` with the first one's id, unless that one failed or was skipped.",
  },
  {
    id: 'job-skipped',
    section: 'States, Auto bidding job',
    rule: 'Location restrictions and limits lead to a skipped job, even with `scheduled_at`.',
    how: 'chosen',
    choice:
      "Status `skipped` with the reason in the status view, in a success; a mode answers `success: false` with the job. Today's unfinished jobs count towards the setup's daily limit.",
  },
  {
    id: 'setup-counts',
    section: 'Resources, Auto bidding setup',
    rule: '`total_proposals_sent` and `proposals_sent_today` count what was sent.',
    how: 'chosen',
    choice: 'Each completed job counts in both; today begins at midnight UTC.',
  },
  {
    id: 'job-states',
    section: 'States, Auto bidding job',
    rule: 'Status values beyond pending review and skipped: not shown.',
    how: 'chosen',
    choice:
      '`pending_review`, `scheduled`, `processing`, `completed`, `failed`, `skipped`. A job waits for review when its setup says so or the qualifier disqualified the project; a test moves it further.',
  },
] as const satisfies readonly CoverageRow[];
