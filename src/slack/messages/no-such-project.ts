import type { Instant } from '../../clock.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { UNKNOWN_KEPT_MS } from '../../projects/unknown-references.ts';
import { date } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';
import { ago } from './when.ts';

const WHY = 'It may be private or removed. Check that the link is complete.';

/** @param askedAt when the marketplace said so, where it was not asked again. */
function whenAsked(askedAt: Instant | undefined): string | undefined {
  if (askedAt === undefined) return undefined;
  return `Last checked ${ago(askedAt)}. You can look it up again at ${date(askedAt + UNKNOWN_KEPT_MS, 'time')}.`;
}

/** The marketplace answered that it has no such project. */
export function noSuchProject(askedAt?: Instant): Message {
  return { text: lines(`Couldn't find this project in the marketplace. ${WHY}`, whenAsked(askedAt)) };
}

/** The same where it has to be said which. */
export function noSuchProjectMessage(asked: ProjectReference, askedAt?: Instant): Message {
  const knowsNone = `Couldn't find project ${referenceText(asked)} in the marketplace. ${WHY}`;
  return { text: lines(knowsNone, whenAsked(askedAt)) };
}

/** A project that we know no title of. mrkdwn. */
export function referenceText(asked: ProjectReference): string {
  return codeText('ciphertext' in asked ? asked.ciphertext : asked.uid, 100);
}
