/** Maps marketplace paths to endpoints for metric labels: ids would create one label per project. Pure. */

/** Every path that Gigdesk requests, as written in docs/marketplace-api.md. */
export const MARKETPLACE_ENDPOINTS = [
  '/auto-bidding/jobs/create',
  '/auto-bidding/jobs/{id}/approve',
  '/auto-bidding/jobs/{id}/status',
  '/auto-bidding/setups',
  '/filters',
  '/filters/{id}/projects',
  '/filters/{id}/results',
  '/invitations',
  '/organizations',
  '/profiles',
  '/projects/lookup',
  '/proposal-senders',
  '/proposal-templates',
  '/proposal-templates/{id}',
  '/proposals',
  '/proposals/by-uid/{uid}',
  '/proposals/{id}',
  '/results/{id}/projects',
] as const;

const patterns = MARKETPLACE_ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * @param path below the base URL, without the query
 * @returns `other` for an unlisted path
 */
export function normalizeEndpoint(path: string): string {
  return patterns.find(({ pattern }) => pattern.test(path))?.endpoint ?? 'other';
}
