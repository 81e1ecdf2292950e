/** One project in full for the person who asks; what it costs is the channel's. */
import type { ProjectReference } from '../../marketplace/client.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { costText } from '../messages/cost-text.ts';
import { noSuchProjectMessage } from '../messages/no-such-project.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { projectInFull } from '../messages/project-in-full.ts';
import type { CommandCall, Message } from '../routes.ts';

/**
 * Looks the project up and says what is known of it, or why nothing was bought.
 * @param verdict as a list showed it: a lookup brings none.
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpMessage(
  { services, channel, person }: Pick<CommandCall, 'services' | 'channel' | 'person'>,
  reference: ProjectReference,
  verdict?: Verdict,
): Promise<Message> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found')
    return projectInFull({ ...outcome.project, ...(verdict ? { verdict } : {}) }, costText(outcome));
  if (outcome.kind !== 'failed') return { text: notBoughtText(outcome) };
  if (outcome.error.code === 'not-found') return noSuchProjectMessage(reference, outcome.askedAt);
  throw outcome.error;
}
