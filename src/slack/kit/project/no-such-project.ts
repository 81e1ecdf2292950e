/** Answers for words that name no project, and for projects that the marketplace did not find. Pure. */
import type { Instant } from '../../../clock.ts';
import type { ProjectReference } from '../../../marketplace/client.ts';
import { hasLinkWithoutProjectId } from '../../../marketplace/project-key.ts';
import { NOT_FOUND_TTL_MS } from '../../../projects/lookup-cache.ts';
import type { Message } from '../../core/routes.ts';
import { joinLines } from '../block-builders.ts';
import { inputErrorMessage } from '../input-error.ts';
import { formatDate, formatTimeAgo } from '../mrkdwn.ts';
import { codeText } from '../query-error.ts';

/** @param example without `/gig`. */
export function invalidProjectReferenceMessage(words: string, example: string): Message {
  const what = hasLinkWithoutProjectId(words)
    ? "This link has no `~ID`. Paste the project's own link, or its `~ID`."
    : `${codeText(words, 100)} isn't a project link, \`~ID\` or UID. Project links contain \`~\` and digits.`;
  return inputErrorMessage(what, example);
}

const WHY = 'It may be private or removed. Check that the link is complete.';

/** @param askedAt when the marketplace answered, if the answer was cached. */
function whenAsked(askedAt: Instant | undefined): string | undefined {
  if (askedAt === undefined) return undefined;
  return (
    `Last checked ${formatTimeAgo(askedAt)}. ` +
    `You can look it up again at ${formatDate(askedAt + NOT_FOUND_TTL_MS, 'time')}.`
  );
}

export function projectNotFoundMessage(askedAt?: Instant): Message {
  return { text: joinLines(`Couldn't find this project in the marketplace. ${WHY}`, whenAsked(askedAt)) };
}

/** Like `projectNotFoundMessage`, and names the project. */
export function referencedProjectNotFoundMessage(asked: ProjectReference, askedAt?: Instant): Message {
  const knowsNone = `Couldn't find project ${projectReferenceText(asked)} in the marketplace. ${WHY}`;
  return { text: joinLines(knowsNone, whenAsked(askedAt)) };
}

/** Names a project whose title is unknown. mrkdwn. */
export function projectReferenceText(asked: ProjectReference): string {
  return codeText('ciphertext' in asked ? asked.ciphertext : asked.uid, 100);
}
