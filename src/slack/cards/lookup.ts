/** `/gig lookup`, and the message shortcut that looks up linked projects. */

import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import type { CommandCall, CommandRoute, Message, ShortcutCall, ShortcutRoute } from '../core/routes.ts';
import { SHORTCUT_REQUEST_LABEL } from '../core/slow-reply.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { shortcutIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import {
  invalidProjectReferenceMessage,
  projectReferenceText,
  referencedProjectNotFoundMessage,
} from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { lookupButtonBlocks } from './lookup-buttons.ts';

const EXAMPLE = 'lookup ~012345678901234567';

async function runLookup(call: CommandCall): Promise<void> {
  if (call.args === '')
    return call.answer(
      inputErrorMessage(
        'Which project? Paste its link, or the part of the link that starts with `~`.',
        EXAMPLE,
      ),
    );
  const reference = parseProjectReference(call.args);
  if (!reference) return call.answer(invalidProjectReferenceMessage(call.args, EXAMPLE));
  await call.answer(await lookUpAndDescribeProject(call, reference));
}

export const lookupCommand: CommandRoute = {
  word: 'lookup',
  topic: 'projects',
  needs: 'viewer',
  usage: ['lookup <link | ~id | uid>'],
  summary: 'Show a project in full. Costs this channel at most 1 credit.',
  details: 'Only you see the reply. For a link in a message, use the message shortcut “Look up project”.',
  examples: ['lookup https://www.marketplace.example/jobs/~012345678901234567', 'lookup ~012345678901234567'],
  isSlow: true,
  run: runLookup,
};

/** Each lookup may cost a credit, so a message full of links is only partly looked up. */
const MOST = 3;

const NO_LINK: Message = {
  text:
    'No project link found in this message. A project link contains `~` and digits. ' +
    `You can also use ${codeText('/gig lookup <link>')}.`,
};

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
    const look = (reference: ProjectReference) =>
      lookUpAndDescribeProject(call, reference, { namesProject: true });
    for (const [index, reference] of asked.entries())
      await call.answer(await orSayWhatIsLeft(call, asked.slice(index), look(reference)));
    const more = references.length - MOST;
    if (more > 0)
      await call.answer({
        text:
          `The message has ${formatCount(more, 'more project')}. ` +
          `Use ${codeText('/gig lookup <link>')} to see each one.`,
      });
  },
};

/**
 * Looks up and describes the project, or says why nothing was bought.
 * @param verdict from the listing: a lookup returns none.
 * @param namesProject whether a refusal names the project, among others.
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpAndDescribeProject(
  { services, channel, person }: Pick<CommandCall, 'services' | 'channel' | 'person'>,
  reference: ProjectReference,
  { verdict, namesProject }: { readonly verdict?: Verdict | undefined; readonly namesProject?: true } = {},
): Promise<Message> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found')
    return projectDetailsMessage(
      { ...outcome.project, verdict },
      chargedCreditsText(outcome),
      await lookupButtonBlocks({ services, channel, person }, outcome.project),
    );
  if (outcome.kind !== 'failed') {
    const text = insufficientCreditsText(outcome);
    return { text: namesProject ? `${projectReferenceText(reference)}: ${text}` : text };
  }
  if (outcome.error.code === 'not-found') return referencedProjectNotFoundMessage(reference, outcome.askedAt);
  throw outcome.error;
}

/** Deep enough for any block, and a bound for anything else. */
const DEEPEST = 12;
const MOST_TEXTS = 2_000;

function collectTexts(value: unknown, depth: number, into: string[]): void {
  if (depth > DEEPEST || into.length >= MOST_TEXTS) return;
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const each of value) collectTexts(each, depth + 1, into);
  else if (typeof value === 'object' && value !== null) collectTexts(Object.values(value), depth + 1, into);
}

/** URLs, and bare IDs with their tilde. */
const CANDIDATE = /https?:\/\/[^\s<>|"']+|(?<![\w/])~\d{10,30}\b/giu;

/** The distinct projects in a message's text and blocks, in order of first mention. */
function findProjectReferences(text: string, blocks: unknown): readonly ProjectReference[] {
  const texts = [text];
  collectTexts(blocks, 0, texts);
  const found = new Map<string, ProjectReference>();
  for (const candidate of texts.flatMap((each) => each.replace(/&amp;/gu, '&').match(CANDIDATE) ?? [])) {
    const reference = parseProjectReference(candidate);
    if (reference) found.set(JSON.stringify(reference), reference);
  }
  return [...found.values()];
}
