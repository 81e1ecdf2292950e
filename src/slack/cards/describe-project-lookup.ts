/** Shows one person a project in full; the channel pays for it. */
import type { ProjectReference } from '../../marketplace/client.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import type { CommandCall, Message } from '../core/routes.ts';
import { referencedProjectNotFoundMessage } from '../kit/project/no-such-project.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';

/**
 * Looks up and describes the project, or says why nothing was bought.
 * @param verdict from the listing: a lookup returns none.
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
