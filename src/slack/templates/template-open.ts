/** Opens the template builder for new and resumed drafts. */

import type { TemplateStep } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { SlackCallError } from '../core/errors.ts';
import { logAndDescribeFailure } from '../core/handler-steps.ts';
import type { ActionCall, CommandCall } from '../core/routes.ts';
import { findResumeStep } from './template-errors.ts';
import { type BuilderFacts, builderView } from './template-form.ts';
import { templateNotOpenedMessage } from './template-notices.ts';
import {
  isTemplateDraftLocked,
  lockedDraftView,
  readSendersOrStartLoading,
  refreshStepWithSenders,
  showTemplateStep,
  toTemplateBuilderContext,
} from './template-show.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'triggerId' | 'person' | 'channel' | 'answer'>;

/**
 * Opens the builder at once: the trigger expires after 3 s, so no request comes first. If Slack doesn't open
 * it, the person learns how to return to the draft.
 * @param step by default where the draft resumes
 */
export async function openTemplateBuilder(
  call: Opening,
  draft: TemplateDraft,
  step: TemplateStep = findResumeStep(draft),
): Promise<void> {
  const { services, channel, triggerId } = call;
  const builder = toTemplateBuilderContext(call);
  const spot = { channel, step };
  const facts: BuilderFacts = {
    draft,
    location: spot,
    senders: await readSendersOrStartLoading(builder, spot),
  };
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

/** Shows the builder in an open view. @returns false when the person has closed it */
export function showTemplateBuilder(
  call: Pick<Opening, 'services' | 'person' | 'channel'>,
  viewId: string,
  draft: TemplateDraft,
  step: TemplateStep = findResumeStep(draft),
): Promise<boolean> {
  return showTemplateStep(toTemplateBuilderContext(call), viewId, draft, { channel: call.channel, step });
}
