/** The marketplace's endpoints as they are told apart in numbers: ids would make a line of each project. Pure. */

/** Every path that Gigdesk asks for, in the words of docs/marketplace-api.md. */
export const ENDPOINTS = [
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

const patterns = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** @param path below the base address, without the query; `other` for one that is not in the list. */
export function normalizeEndpoint(path: string): string {
  return patterns.find(({ pattern }) => pattern.test(path))?.endpoint ?? 'other';
}
