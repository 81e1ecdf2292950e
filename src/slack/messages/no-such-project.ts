import type { Message } from '../routes.ts';

/** The marketplace answered that it has no such project. */
export const NO_SUCH_PROJECT: Message = {
  text: 'The marketplace knows no such project: it may be private, or taken down. Check that the link is whole.',
};
