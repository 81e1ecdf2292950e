/** The answer to a command whose words name no project that the marketplace can look up. Pure. */
import { hasLinkWithoutProjectId } from '../../../marketplace/project-key.ts';
import type { Message } from '../../core/routes.ts';
import { inputErrorMessage } from '../input-error.ts';
import { codeText } from '../query-error.ts';

/** @param example without `/gig`. */
export function invalidProjectReferenceMessage(words: string, example: string): Message {
  const what = hasLinkWithoutProjectId(words)
    ? "This link has no `~ID`. Paste the project's own link, or its `~ID`."
    : `${codeText(words, 100)} isn't a project link, \`~ID\` or UID. Project links contain \`~\` and digits.`;
  return inputErrorMessage(what, example);
}
