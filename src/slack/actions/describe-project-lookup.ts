/** One project in full for the person who asks; what it costs is the channel's. */
import type { ProjectReference } from '../../marketplace/client.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { chargedCreditsText } from '../messages/cost-text.ts';
import { insufficientCreditsText } from '../messages/insufficient-credits.ts';
import { referencedProjectNotFoundMessage } from '../messages/no-such-project.ts';
import { projectDetailsMessage } from '../messages/project-details.ts';
import type { CommandCall, Message } from '../routes.ts';

/**
 * Looks the project up and says what is known of it, or why nothing was bought.
 * @param verdict as a list showed it: a lookup brings none.
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpAndDescribeProject(
  { services, channel, person }: Pick<CommandCall, 'services' | 'channel' | 'person'>,
  reference: ProjectReference,
  verdict?: Verdict,
): Promise<Message> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found')
    return projectDetailsMessage(
      { ...outcome.project, ...(verdict ? { verdict } : {}) },
      chargedCreditsText(outcome),
    );
  if (outcome.kind !== 'failed') return { text: insufficientCreditsText(outcome) };
  if (outcome.error.code === 'not-found') return referencedProjectNotFoundMessage(reference, outcome.askedAt);
  throw outcome.error;
}
