/** Coverage: the rules of docs/marketplace-api.md, by subject. */
import type { CoverageRow } from './coverage-row.ts';

export const ACCESS_RULE_COVERAGE = [
  {
    id: 'token',
    section: 'Authentication, 1 and 4',
    rule: 'A request without a valid `X-API-TOKEN` returns 401.',
    how: 'chosen',
    choice: "It doesn't count toward any rate limit.",
  },
  {
    id: 'https',
    section: 'Authentication, 3',
    rule: 'Plain HTTP fails.',
    how: 'chosen',
    choice: 'The simulator uses plain HTTP, and only on the loopback address.',
  },
  {
    id: 'inactive-subscription',
    section: 'Authentication, 6',
    rule: 'An inactive subscription returns 402.',
    how: 'chosen',
    choice: 'Every endpoint returns `{ error: "Subscription inactive" }`.',
  },
  {
    id: 'plan-without-api',
    section: 'Authentication, 6',
    rule: 'A plan without API access returns 403.',
    how: 'simulated',
  },
  {
    id: 'not-found',
    section: 'Errors',
    rule: "Anything that doesn't exist returns 404 with `{ error }`.",
    how: 'chosen',
    choice: "So does an undocumented path or method. An ID in the path that isn't a number returns 400.",
  },
  {
    id: 'json-bodies',
    section: 'Introduction',
    rule: 'Request bodies are JSON, with the JSON content type.',
    how: 'chosen',
    choice: 'A body with another content type returns 400.',
  },
  {
    id: 'rate-limit',
    section: 'Limits',
    rule: 'More than 30 requests per minute return 429 with the documented body.',
    how: 'chosen',
    choice:
      "A sliding window of 60 s. A rejected request doesn't count, so it never extends the wait. " +
      'There are no rate limit headers unless a fault adds them.',
  },
  {
    id: 'rate-limit-of-five',
    section: 'Limits',
    rule: 'Another section says 5 requests per minute.',
    how: 'simulated',
  },
  {
    id: 'pagination-bounds',
    section: 'Limits',
    rule: '`limit` is 10 to 100 (20 by default), and `page` is at least 1. Anything else returns 400.',
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
    rule: "A field that isn't marked nullable is never null.",
    how: 'chosen',
    choice:
      'A missing date or text is an empty string, and a missing amount is 0. ' +
      'The mode `nullsForEmpty` returns null for both.',
  },
] as const satisfies readonly CoverageRow[];

export const CREDIT_RULE_COVERAGE = [
  {
    id: 'credits-once-a-period',
    section: 'Limits',
    rule: 'A project costs 1 credit the first time any endpoint returns it in a period.',
    how: 'simulated',
  },
  {
    id: 'credits-free-endpoints',
    section: 'What the service does, 2',
    rule: "The team's own data is free.",
    how: 'simulated',
  },
  {
    id: 'credits-all-or-nothing',
    section: 'Errors, 1',
    rule: 'A page that needs more credits than are left returns 402 with the numbers, and spends nothing.',
    how: 'chosen',
    choice:
      'A page needs 1 credit for each project it would charge for, because repeated paging is free. ' +
      'In the mode `pageWidth`, each returned project counts, or the `limit`.',
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
      'A period is 30 days from the start. ' +
      'Then the balance is full again, and every project counts as new. ' +
      'The mode `resetDate` returns another end date: 30 days from each response, ' +
      'or sometimes a wrong one.',
  },
  {
    id: 'credits-top-up',
    section: 'Limits',
    rule: 'Paid plans can add credits.',
    how: 'chosen',
    choice: 'Added credits expire with the period.',
  },
  {
    id: 'credits-trial',
    section: 'Limits',
    rule: "A trial has 50 credits in total and can't add more.",
    how: 'chosen',
    choice: 'A trial lasts one period. Then the subscription is inactive.',
  },
] as const satisfies readonly CoverageRow[];

export const PROJECT_RULE_COVERAGE = [
  {
    id: 'list-order',
    section: 'Endpoints, Projects',
    rule: "The order of project lists isn't documented.",
    how: 'chosen',
    choice: 'Newest first. The mode `oldestFirst` reverses it.',
  },
  {
    id: 'list-cursor',
    section: 'Endpoints, Projects',
    rule: '`next_cursor` is a timestamp cursor.',
    how: 'chosen',
    choice:
      "It's the timestamp of the next project, and the next page starts there. " +
      'Projects with the same timestamp can appear twice. ' +
      'If there are more of them than `limit`, the cursor stops moving. ' +
      "In the mode `lossyCursor`, it's the timestamp of the last returned project, " +
      "and the next page starts after it. On the last page, it's the last project's timestamp.",
  },
  {
    id: 'list-latest',
    section: 'Endpoints, Projects',
    rule: '`latest_published_ts` is a request parameter and a response field.',
    how: 'chosen',
    choice:
      'The parameter keeps projects published after that second, and `total` counts them. ' +
      "In the response, it's the timestamp of the filter's newest project, " +
      'or 0 if the filter has no projects. ' +
      'Modes: `ignoreLatestPublishedTs`, `inclusiveLatestPublishedTs`.',
  },
  {
    id: 'qualification',
    section: 'Resources, Qualification rules',
    rule:
      'Null without a qualifier, or before the project is qualified. ' +
      'The reason and time are null until then. Reading never runs the qualifier.',
    how: 'chosen',
    choice: 'Adds the field `decision`: `qualified`, `disqualified`, or null. Mode: `verdictFlags`.',
  },
  {
    id: 'lookup-one-of',
    section: 'Endpoints, Projects',
    rule: 'A lookup takes `ciphertext` or `uid`, not both.',
    how: 'chosen',
    choice: "Both, neither, or a ciphertext that isn't a tilde and digits returns 400.",
  },
  {
    id: 'records-by-profile',
    section: 'Endpoints, Proposals and invitations',
    rule:
      '`profileId` is required, and `organizationId` is an optional filter. ' +
      '`sort` and `order` are enums, with `DESC` as the default.',
    how: 'simulated',
  },
] as const satisfies readonly CoverageRow[];

export const TEMPLATE_RULE_COVERAGE = [
  {
    id: 'template-errors-together',
    section: 'Errors',
    rule: 'One response lists all invalid fields, each by its dot path.',
    how: 'chosen',
    choice: "Array items are numbered (`answers.0.question`). A body that isn't an object fails as `body`.",
  },
  {
    id: 'template-bounds',
    section: 'Resources, ProposalTemplate input',
    rule: 'Every limit in the table is checked.',
    how: 'chosen',
    choice: 'Lengths are in code points. The two smart rates are compared if both are set.',
  },
  {
    id: 'template-model',
    section: 'Resources, ProposalTemplate input',
    rule: 'An unknown model is a field error. Null means the default model.',
    how: 'chosen',
    choice: "The model list isn't documented. The simulator has `swift-1`, `balanced-2`, and `thorough-3`.",
  },
  {
    id: 'template-sender',
    section: 'Resources, ProposalTemplate input',
    rule: "An agency needs a contractor, and a freelancer can't have one.",
    how: 'chosen',
    choice: "An organization or contractor that isn't in the sender list is a field error.",
  },
] as const satisfies readonly CoverageRow[];

export const BIDDING_RULE_COVERAGE = [
  {
    id: 'job-fields',
    section: 'Endpoints, Auto bidding',
    rule: "The body's limits. Required fields and error statuses aren't documented.",
    how: 'chosen',
    choice:
      '`setup_id` is required, and either `marketplace_job_id` or `project_id`. ' +
      'An invalid field returns 400 `{ error }`, an unknown setup or project 404 `{ error }`. ' +
      'A setup of any status can bid. Text length is unlimited, except in the mode `longestJobText`.',
  },
  {
    id: 'job-schedule',
    section: 'Endpoints, Auto bidding',
    rule:
      '`scheduled_at` takes both date formats and must be in the future. ' +
      'It takes precedence over `scheduled_in`, which is 15 to 60 minutes.',
    how: 'chosen',
    choice:
      'The SQL format is read as UTC. `scheduled_in` is ignored if `scheduled_at` is set. ' +
      "Without either, the job waits for the setup's delay. Fair-slot scheduling isn't simulated.",
  },
  {
    id: 'job-duplicates',
    section: 'States, Auto bidding job',
    rule: 'Duplicates are detected.',
    how: 'chosen',
    choice:
      'A second job for a project, from any setup, returns 400 `{ success: false, error, ' +
      "job_id }` with the first job's ID, unless the first job failed or was skipped.",
  },
  {
    id: 'job-skipped',
    section: 'States, Auto bidding job',
    rule: 'Location restrictions and limits skip the job, even with `scheduled_at`.',
    how: 'chosen',
    choice:
      "The request succeeds. The job's status is `skipped`, and the status view shows the reason. " +
      'In the mode `skippedIsNoSuccess`, the response is `success: false` with the job. ' +
      "Unfinished jobs from today count toward the setup's daily limit.",
  },
  {
    id: 'setup-counts',
    section: 'Resources, Auto bidding setup',
    rule: '`total_proposals_sent` and `proposals_sent_today` count sent proposals.',
    how: 'chosen',
    choice: 'Each completed job counts in both. The day starts at midnight UTC.',
  },
  {
    id: 'job-states',
    section: 'States, Auto bidding job',
    rule: "Status values other than pending review and skipped aren't documented.",
    how: 'chosen',
    choice:
      '`pending_review`, `scheduled`, `processing`, `completed`, `failed`, `skipped`. ' +
      'A job waits for review if its setup requires it or if the qualifier disqualified the project. ' +
      'Tests change the status from there.',
  },
] as const satisfies readonly CoverageRow[];
