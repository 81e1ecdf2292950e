/** Coverage: the endpoints of docs/marketplace-api.md. */
import type { CoverageRow } from './coverage-row.ts';

export const ENDPOINT_COVERAGE = [
  {
    id: 'POST /proposal-templates',
    section: 'Endpoints, Proposal templates',
    rule: 'Creates a template and returns it with 201, in the same shape as a read.',
    how: 'chosen',
    choice:
      'Defaults: the hourly rate mode is `fixed`, `template_structure` is on, ' +
      'and `increase_frequency` is `never`. Unknown body fields are ignored. ' +
      'Smart rates outside smart mode, and prices of the other price type, are validated but not saved.',
  },
  {
    id: 'GET /proposal-templates/{id}',
    section: 'Endpoints, by name only',
    rule: 'Reads a template.',
    how: 'chosen',
    choice: 'Returns `{ data: ProposalTemplate }` with 200, or 404 for an unknown ID.',
  },
  {
    id: 'GET /proposal-senders',
    section: 'Endpoints, by name only',
    rule: 'Lists the proposal senders.',
    how: 'chosen',
    choice:
      'Returns `{ data: [{ organization_id, name, type, contractors: [{ contractor_uid, name }] }] }`. ' +
      'A freelancer has no contractors. Mode: `senders`.',
  },
  {
    id: 'POST /auto-bidding/jobs/create',
    section: 'Endpoints, Auto bidding',
    rule: 'Creates a job and returns the create view.',
    how: 'chosen',
    choice: 'Returns 200 with `success: true`, even if the job is skipped.',
  },
  {
    id: 'POST /auto-bidding/jobs/{id}/approve',
    section: 'Endpoints, Auto bidding',
    rule:
      'Moves a job from pending review to scheduled, overrides an AI disqualification, ' +
      'and saves `approved_by`.',
    how: 'chosen',
    choice:
      "`approved_by` is `API token`. A scheduled time in the past moves to now plus the setup's delay. " +
      "A job that isn't pending review returns 400, an unknown job 404.",
  },
  {
    id: 'GET /auto-bidding/jobs/{id}/status',
    section: 'Endpoints, Auto bidding',
    rule: 'Returns the status view.',
    how: 'chosen',
    choice: 'An unknown job returns 404.',
  },
  {
    id: 'GET /auto-bidding/setups',
    section: 'Endpoints, Auto bidding',
    rule: 'Lists setups, optionally by status.',
    how: 'chosen',
    choice:
      'The parameter is `status`; an unknown value returns 400. ' +
      '`status` is 0 (inactive), 1 (active), 2 (draft), or 3 (paused). `status_name` is the word.',
  },
  {
    id: 'GET /filters/{id}/projects',
    section: 'Endpoints, Projects',
    rule: "Lists a filter's projects with a cursor and credits.",
    how: 'simulated',
  },
  {
    id: 'GET /results/{id}/projects',
    section: 'Endpoints, Projects',
    rule: "Lists a monitoring result's projects by page, with credits.",
    how: 'simulated',
  },
  {
    id: 'GET /projects/lookup',
    section: 'Endpoints, Projects',
    rule: 'Returns one project in the lookup shape, with credits.',
    how: 'simulated',
  },
  {
    id: 'GET /filters/{id}/results',
    section: 'Endpoints, Filters',
    rule: "Lists a filter's monitoring results.",
    how: 'chosen',
    choice:
      '`limit` is 20 by default, and the newest come first. Without results, the list is empty. ' +
      'Mode: `emptyResultsNotFound`.',
  },
  {
    id: 'GET /proposals',
    section: 'Endpoints, Proposals and invitations',
    rule: "Lists a profile's proposals; `profileId` is required.",
    how: 'chosen',
    choice:
      'An unknown profile returns 404. A page past the end is empty. ' +
      '`pages` is 0 when there are no proposals.',
  },
  {
    id: 'GET /proposals/{id}',
    section: 'Endpoints, Proposals and invitations',
    rule: 'Returns one proposal.',
    how: 'simulated',
  },
  {
    id: 'GET /proposals/by-uid/{applicationUid}',
    section: 'Endpoints, Proposals and invitations',
    rule: 'Returns one proposal by its application UID.',
    how: 'simulated',
  },
  {
    id: 'GET /invitations',
    section: 'Endpoints, Proposals and invitations',
    rule: "Lists a profile's invitations; `profileId` is required.",
    how: 'simulated',
  },
  {
    id: 'GET /profiles',
    section: 'Endpoints, by name only',
    rule: 'Lists the profiles.',
    how: 'chosen',
    choice:
      'Returns 404, like an unknown path. ' +
      'In the mode `lists`, it returns `[{ id, label, type }]` under `data`, under `profiles`, ' +
      'or as a bare array.',
  },
  {
    id: 'GET /organizations',
    section: 'Endpoints, by name only',
    rule: 'Lists the organizations.',
    how: 'chosen',
    choice:
      'Returns 404, like an unknown path. ' +
      'In the mode `lists`, it returns `[{ id, label, type }]` under `data`, under `organizations`, ' +
      'or as a bare array.',
  },
  {
    id: 'GET /filters',
    section: 'Endpoints, by name only',
    rule: 'Lists the filters.',
    how: 'chosen',
    choice:
      'Returns 404, like an unknown path. ' +
      'In the mode `lists`, it returns `[{ id, name }]` under `data`, under `filters`, ' +
      'or as a bare array.',
  },
] as const satisfies readonly CoverageRow[];

export const UNSIMULATED_ENDPOINT_COVERAGE = [
  {
    id: 'template-update',
    section: 'Endpoints, by name only',
    rule: 'Updates a template.',
    how: 'absent',
    choice: "The method and path aren't documented.",
  },
  {
    id: 'events',
    section: 'Events',
    rule: "Webhooks and events aren't documented.",
    how: 'absent',
    choice: 'The simulator only responds to requests.',
  },
] as const satisfies readonly CoverageRow[];
