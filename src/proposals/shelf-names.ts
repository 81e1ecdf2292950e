/** Names of cache files: one for each profile and month, so that none grows large. Pure. */
import type { Instant } from '../clock.ts';
import { ProfileId } from '../ids.ts';

const NAME = /^(\d+)-/;

/** @param submittedAt decides the month, in UTC */
export function buildCacheFileName(profile: ProfileId, submittedAt: Instant | undefined): string {
  const isDate = submittedAt !== undefined && !Number.isNaN(new Date(submittedAt).getTime());
  const month = isDate ? /^(\d{4}-\d{2})/.exec(new Date(submittedAt).toISOString())?.[1] : undefined;
  return `${profile}-${month ?? 'undated'}`;
}

/** The profile of a cache file; undefined for a foreign name. */
export function parseCacheFileProfile(shelf: string): ProfileId | undefined {
  const parsed = ProfileId.safeParse(Number(NAME.exec(shelf)?.[1]));
  return parsed.success ? parsed.data : undefined;
}
