/** Coverage: the endpoints of docs/marketplace-api.md. */
import type { CoverageRow } from './coverage-row.ts';

export const ENDPOINTS = [
  {
    id: 'POST /proposal-templates',
    section: 'Endpoints, Proposal templates',
    rule: 'Creates a template and answers 201 with it, as a read of it would.',
    how: 'chosen',
    choice:
      'Without a mode the hourly rate is `fixed`; without `template_structure` it is on; `increase_frequency` is `never`; unknown body fields are ignored; smart rates outside smart mode, and prices of the other price type, are checked but not kept.',
  },
  {
    id: 'GET /proposal-templates/{id}',
    section: 'Endpoints, by name only',
    rule: 'Reads a template.',
    how: 'chosen',
    choice: 'Answers `{ data: ProposalTemplate }` with 200; 404 for an unknown id.',
  },
  {
    id: 'GET /proposal-senders',
    section: 'Endpoints, by name only',
    rule: 'Lists who can send.',
    how: 'chosen',
    choice:
      'Answers `{ data: [{ organization_id, name, type, contractors: [{ contractor_uid, name }] }] }`; a freelancer has no contractors. Mode: `senders`.',
  },
  {
    id: 'POST /auto-bidding/jobs/create',
    section: 'Endpoints, Auto bidding',
    rule: 'Creates a job and answers the create view.',
    how: 'chosen',
    choice: 'A successful create, a skipped one included, is 200 with `success: true`.',
  },
  {
    id: 'POST /auto-bidding/jobs/{id}/approve',
    section: 'Endpoints, Auto bidding',
    rule: 'Moves a job from pending review to scheduled, overrides an AI disqualification, records `approved_by`.',
    how: 'chosen',
    choice:
      "`approved_by` is `API token`; a time that has passed moves to now plus the setup's delay; a job that is not pending review is 400, an unknown one 404.",
  },
  {
    id: 'GET /auto-bidding/jobs/{id}/status',
    section: 'Endpoints, Auto bidding',
    rule: 'Answers the status view.',
    how: 'chosen',
    choice: 'An unknown job is 404.',
  },
  {
    id: 'GET /auto-bidding/setups',
    section: 'Endpoints, Auto bidding',
    rule: 'Lists setups, by status where asked.',
    how: 'chosen',
    choice:
      'The parameter is `status`; an unknown value is 400. `status` is 0 inactive, 1 active, 2 draft, 3 paused, and `status_name` the word.',
  },
  {
    id: 'GET /filters/{id}/projects',
    section: 'Endpoints, Projects',
    rule: "Lists a filter's projects with cursor and credits.",
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
    rule: 'Answers one project in its lookup shape, with credits.',
    how: 'simulated',
  },
  {
    id: 'GET /filters/{id}/results',
    section: 'Endpoints, Filters',
    rule: "Lists a filter's monitoring results.",
    how: 'chosen',
    choice: '`limit` is 20 by default; newest first; none are an empty list. Mode: `emptyResultsNotFound`.',
  },
  {
    id: 'GET /proposals',
    section: 'Endpoints, Proposals and invitations',
    rule: "Lists a profile's proposals; `profileId` is required.",
    how: 'chosen',
    choice: 'An unknown profile is 404; a page past the end is empty; `pages` is 0 when there is nothing.',
  },
  {
    id: 'GET /proposals/{id}',
    section: 'Endpoints, Proposals and invitations',
    rule: 'Answers one proposal.',
    how: 'simulated',
  },
  {
    id: 'GET /proposals/by-uid/{applicationUid}',
    section: 'Endpoints, Proposals and invitations',
    rule: 'Answers one proposal by its application uid.',
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
      '404, as if it were not there. In the mode `lists` it answers `[{ id, label, type }]`: under `data`, under `profiles`, or bare.',
  },
  {
    id: 'GET /organizations',
    section: 'Endpoints, by name only',
    rule: 'Lists the organizations.',
    how: 'chosen',
    choice:
      '404, as if it were not there. In the mode `lists` it answers `[{ id, label, type }]`: under `data`, under `organizations`, or bare.',
  },
  {
    id: 'GET /filters',
    section: 'Endpoints, by name only',
    rule: 'Lists the filters.',
    how: 'chosen',
    choice:
      '404, as if it were not there. In the mode `lists` it answers `[{ id, name }]`: under `data`, under `filters`, or bare.',
  },
] as const satisfies readonly CoverageRow[];

export const ABSENT = [
  {
    id: 'template-update',
    section: 'Endpoints, by name only',
    rule: 'The template update operation.',
    how: 'absent',
    choice: 'Its method and path are not shown.',
  },
  {
    id: 'events',
    section: 'Events',
    rule: 'No webhook or event delivery is described.',
    how: 'absent',
    choice: "Nothing is ever sent on the simulator's own account.",
  },
] as const satisfies readonly CoverageRow[];
