/** The message shortcut that looks up linked projects. */
import type { ProjectReference } from '../../marketplace/client.ts';
import { findProjectReferences } from '../core/project-links.ts';
import type { Message, ShortcutCall, ShortcutRoute } from '../core/routes.ts';
import { SHORTCUT_REQUEST_LABEL } from '../core/slow-reply.ts';
import { shortcutIds } from '../kit/ids.ts';
import { formatCount } from '../kit/numbers.ts';
import { projectReferenceText, referencedProjectNotFoundMessage } from '../kit/project/no-such-project.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { codeText } from '../kit/query-error.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';

/** Each lookup may cost a credit, so a message full of links is only partly looked up. */
const MOST = 3;

const NO_LINK: Message = {
  text:
    'No project link found in this message. A project link contains `~` and digits. ' +
    `You can also use ${codeText('/gig lookup <link>')}.`,
};

/** Each answer names its project, since a message may link several. */
async function lookUp(call: ShortcutCall, reference: ProjectReference): Promise<Message> {
  const { services, channel, person } = call;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found') return projectDetailsMessage(outcome.project, chargedCreditsText(outcome));
  if (outcome.kind !== 'failed')
    return { text: `${projectReferenceText(reference)}: ${insufficientCreditsText(outcome)}` };
  if (outcome.error.code === 'not-found') return referencedProjectNotFoundMessage(reference, outcome.askedAt);
  throw outcome.error;
}

/**
 * After a failure, lists the projects left, since the error doesn't name them. They would most likely fail
 * too.
 */
async function orSayWhatIsLeft(
  call: ShortcutCall,
  left: readonly ProjectReference[],
  lookedUp: Promise<Message>,
): Promise<Message> {
  try {
    return await lookedUp;
  } catch (thrown) {
    await call.answer({ text: `Not looked up: ${left.map(projectReferenceText).join(', ')}.` });
    throw thrown;
  }
}

/** Shows a message's linked projects to the user only. */
export const lookUpProjectShortcut: ShortcutRoute = {
  id: shortcutIds.lookUp,
  needs: 'viewer',
  pendingLabel: SHORTCUT_REQUEST_LABEL,
  async run(call) {
    const references = findProjectReferences(call.message.text, call.message.blocks);
    if (references.length === 0) return call.answer(NO_LINK);
    const asked = references.slice(0, MOST);
    for (const [index, reference] of asked.entries())
      await call.answer(await orSayWhatIsLeft(call, asked.slice(index), lookUp(call, reference)));
    const more = references.length - MOST;
    if (more > 0)
      await call.answer({
        text:
          `The message has ${formatCount(more, 'more project')}. ` +
          `Use ${codeText('/gig lookup <link>')} to see each one.`,
      });
  },
};
