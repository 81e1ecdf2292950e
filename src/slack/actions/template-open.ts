/** Opening the template builder: for a new draft, and for one that is taken up again. */
import type { TemplateStep } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { SlackCallError } from '../errors.ts';
import { findResumeStep } from '../messages/template-errors.ts';
import type { ActionCall, CommandCall } from '../routes.ts';
import { type BuilderFacts, builderView } from '../views/template-form.ts';
import { templateNotOpenedMessage } from '../views/template-notices.ts';
import { logAndDescribeFailure } from './bid-show.ts';
import {
  isTemplateDraftLocked,
  lockedDraftView,
  readKnownSenders,
  refreshStepWithSenders,
  showTemplateStep,
  toTemplateBuilderContext,
} from './template-show.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'triggerId' | 'person' | 'channel' | 'answer'>;

/**
 * Opens the builder at once: the trigger lives 3 s, so nobody is waited for before. Where Slack does not open it, the person is
 * told how to come back to the draft.
 * @param step missing: where the draft is taken up again
 */
export async function openTemplateBuilder(
  call: Opening,
  draft: TemplateDraft,
  step: TemplateStep = findResumeStep(draft),
): Promise<void> {
  const { services, channel, triggerId } = call;
  const builder = toTemplateBuilderContext(call);
  const spot = { channel, step };
  const facts: BuilderFacts = { draft, location: spot, senders: await readKnownSenders(builder, spot) };
  const view = isTemplateDraftLocked(draft) ? lockedDraftView(draft, channel) : builderView(facts);
  let viewId: string;
  try {
    viewId = await services.slack.openView(triggerId, view);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    const failure = logAndDescribeFailure(services, 'could not open the template builder', thrown);
    return call.answer(templateNotOpenedMessage(failure, draft));
  }
  if (!isTemplateDraftLocked(draft) && facts.senders.kind === 'loading')
    await refreshStepWithSenders(builder, viewId, facts, view);
}

/** Shows the builder in a view that is open. @returns false when the person has closed it */
export function showTemplateBuilder(
  call: Pick<Opening, 'services' | 'person' | 'channel'>,
  viewId: string,
  draft: TemplateDraft,
  step: TemplateStep = findResumeStep(draft),
): Promise<boolean> {
  return showTemplateStep(toTemplateBuilderContext(call), viewId, draft, { channel: call.channel, step });
}
