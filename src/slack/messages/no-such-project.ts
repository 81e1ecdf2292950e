import type { Instant } from '../../clock.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { NOT_FOUND_TTL_MS } from '../../projects/not-found-cache.ts';
import { formatDate } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { joinLines } from './block-builders.ts';
import { codeText } from './query-error.ts';
import { formatTimeAgo } from './time-ago.ts';

const WHY = 'It may be private or removed. Check that the link is complete.';

/** @param askedAt when the marketplace said so, where it was not asked again. */
function whenAsked(askedAt: Instant | undefined): string | undefined {
  if (askedAt === undefined) return undefined;
  return `Last checked ${formatTimeAgo(askedAt)}. You can look it up again at ${formatDate(askedAt + NOT_FOUND_TTL_MS, 'time')}.`;
}

/** The marketplace answered that it has no such project. */
export function projectNotFoundMessage(askedAt?: Instant): Message {
  return { text: joinLines(`Couldn't find this project in the marketplace. ${WHY}`, whenAsked(askedAt)) };
}

/** The same where it has to be said which. */
export function referencedProjectNotFoundMessage(asked: ProjectReference, askedAt?: Instant): Message {
  const knowsNone = `Couldn't find project ${projectReferenceText(asked)} in the marketplace. ${WHY}`;
  return { text: joinLines(knowsNone, whenAsked(askedAt)) };
}

/** A project that we know no title of. mrkdwn. */
export function projectReferenceText(asked: ProjectReference): string {
  return codeText('ciphertext' in asked ? asked.ciphertext : asked.uid, 100);
}
