/** Proposal templates and their possible senders. */

import type { EndpointRequest } from './endpoint-request.ts';
import { type EndpointResponse, errorResponse, okResponse } from './endpoint-response.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import { toIso } from './project-views.ts';
import type { SimulatedOrganization, SimulatedTemplate } from './records.ts';
import { type TemplateBody, validateTemplate } from './validate-template.ts';

function senderOf(organization: SimulatedOrganization, contractorUid: string | undefined) {
  const contractor = organization.contractors.find(({ uid }) => uid === contractorUid);
  return {
    name: contractor?.name ?? organization.label,
    type: organization.type,
    organization: organization.label,
  };
}

/** Smart rates are saved in smart mode only. Source: docs/marketplace-api.md, table of the response. */
function hourlyRateOf({ hourly_rate: given }: TemplateBody): SimulatedTemplate['hourly_rate'] {
  const smart = given.mode === 'smart';
  return {
    mode: given.mode ?? 'fixed',
    rate: given.rate,
    smart_rate_min: smart ? (given.smart_rate_min ?? null) : null,
    smart_rate_max: smart ? (given.smart_rate_max ?? null) : null,
    smart_rate_percent: smart ? (given.smart_rate_percent ?? null) : null,
    rules_count: 0,
    increase_percent: given.increase_percent ?? null,
    increase_frequency: given.increase_frequency ?? 'never',
  };
}

/**
 * Saves `price` only for `by-project`, and the other two only for `by-job-terms`. Source:
 * docs/marketplace-api.md, table of the response.
 */
function fixedPriceOf({ fixed_price: given = {} }: TemplateBody): SimulatedTemplate['fixed_price'] {
  const byProject = given.type === 'by-project';
  return {
    type: given.type ?? 'by-job-terms',
    price: byProject ? (given.price ?? null) : null,
    min_price: byProject ? null : (given.min_price ?? null),
    client_budget_percent: byProject ? null : (given.client_budget_percent ?? null),
  };
}

function aiOf({ ai }: TemplateBody): SimulatedTemplate['ai'] {
  return {
    model: ai.model ?? null,
    instructions: ai.instructions,
    client_questions: ai.client_questions ?? null,
    additional_context: ai.additional_context ?? null,
    template_structure: ai.template_structure ?? true,
  };
}

/** Null when template structure is off: the letters are then ignored. */
function lettersOf(input: TemplateBody): SimulatedTemplate['cover_letters'] {
  if (input.ai.template_structure === false) return null;
  const { variant_a = null, variant_b = null } = input.cover_letters ?? {};
  return { variant_a, variant_b };
}

function view(world: MarketplaceState, template: SimulatedTemplate) {
  const bidding = world.setups
    .all()
    .filter((setup) => setup.biddingTemplate.id === template.id)
    .map(({ id, name }) => ({ id, name }));
  return { ...template, auto_bidding_setups: [...template.auto_bidding_setups, ...bidding] };
}

/** `POST /proposal-templates` */
export function handleCreateTemplate(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const checked = validateTemplate(call.body, world.organizations.all());
  if (checked.kind === 'invalid') {
    return { status: 400, body: { error: 'Validation failed', fields: checked.fields } };
  }
  const { input } = checked;
  const now = toIso(world.clock.now());
  const template = world.templates.put({
    id: world.templates.nextId(),
    name: input.name,
    visibility: input.visibility ?? 'shared_admins',
    sender: senderOf(
      world.organizations.getOrThrow(input.sender.organization_id),
      input.sender.contractor_uid,
    ),
    hourly_rate: hourlyRateOf(input),
    fixed_price: fixedPriceOf(input),
    ai: aiOf(input),
    filters: [],
    auto_bidding_setups: [],
    ab_testing: input.ab_testing ?? false,
    answers: input.answers ?? [],
    attachments: [],
    cover_letters: lettersOf(input),
    created_at: now,
    updated_at: now,
  });
  return { status: 201, body: { data: view(world, template) } };
}

/** `GET /proposal-templates/{id}` */
export function handleGetTemplate(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const template = world.templates.get(call.id);
  return template
    ? okResponse({ data: view(world, template) })
    : errorResponse(404, 'Proposal template not found');
}

/** An organization as `GET /proposal-senders` formats it in each mode: one row, or one per contractor. */
function senderRows(
  { id, label, type, contractors }: SimulatedOrganization,
  how: MarketplaceState['modes']['senders'],
): readonly object[] {
  switch (how) {
    case 'flat':
      return [
        {
          organization_id: id,
          name: label,
          type,
          contractors: contractors.map(({ uid, name }) => ({ contractor_uid: uid, name })),
        },
      ];
    case 'organization-name': {
      const row = { organization_id: id, organization_name: label, type };
      const rows = contractors.map(({ uid, name }) => ({ ...row, contractor_uid: uid, name }));
      return rows.length > 0 ? rows : [row];
    }
    case 'org':
      return [{ org: { id, name: label, type }, contractors }];
    case 'people':
      return [{ organization_id: id, name: label, type, people: contractors }];
  }
}

/** `GET /proposal-senders`; the shape is our guess, since none is documented. */
export function handleListProposalSenders({ organizations, modes }: MarketplaceState): EndpointResponse {
  return okResponse({ data: organizations.all().flatMap((each) => senderRows(each, modes.senders)) });
}
