import type { ProjectReference } from '../../marketplace/client.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';

const WHY = 'it may be private, or taken down. Check that the link is whole.';

/** The marketplace answered that it has no such project. */
export const NO_SUCH_PROJECT: Message = { text: `The marketplace knows no such project: ${WHY}` };

/** The same where it has to be said which. */
export function noSuchProjectMessage(asked: ProjectReference): Message {
  return { text: `The marketplace knows no project ${referenceText(asked)}: ${WHY}` };
}

/** A project that we know no title of. mrkdwn. */
export function referenceText(asked: ProjectReference): string {
  return codeText('ciphertext' in asked ? asked.ciphertext : asked.uid, 100);
}
