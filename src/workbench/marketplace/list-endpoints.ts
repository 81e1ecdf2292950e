/** Lists without a documented format: 404 by default; with the mode `lists`, in one of several envelopes. */
import { type EndpointResponse, errorResponse, okResponse } from './endpoint-response.ts';
import type { MarketplaceState } from './marketplace-state.ts';

type Plural = 'profiles' | 'organizations' | 'filters';

function answer(world: MarketplaceState, plural: Plural, items: readonly unknown[]): EndpointResponse {
  switch (world.modes.lists) {
    case 'absent':
      return errorResponse(404, 'Not found');
    case 'data':
      return okResponse({ data: items });
    case 'plural':
      return okResponse({ success: true, count: items.length, [plural]: items });
    case 'bare':
      return okResponse(items);
  }
}

/** `GET /profiles` */
export function handleListProfiles(world: MarketplaceState): EndpointResponse {
  const items = world.profiles.all().map(({ id, label, type }) => ({ id, label, type }));
  return answer(world, 'profiles', items);
}

/** `GET /organizations` */
export function handleListOrganizations(world: MarketplaceState): EndpointResponse {
  const items = world.organizations.all().map(({ id, label, type }) => ({ id, label, type }));
  return answer(world, 'organizations', items);
}

/** `GET /filters` */
export function handleListFilters(world: MarketplaceState): EndpointResponse {
  const items = world.filters.all().map(({ id, name }) => ({ id, name }));
  return answer(world, 'filters', items);
}
