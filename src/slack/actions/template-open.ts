/** Opening the template builder: for a new draft, and for one that is taken up again. */
import type { TemplateStep } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { SlackCallError } from '../errors.ts';
import { stepOf } from '../messages/template-places.ts';
import type { ActionCall, CommandCall } from '../routes.ts';
import { type BuilderFacts, builderView } from '../views/template-form.ts';
import { notOpenedMessage } from '../views/template-notices.ts';
import { describeFailure } from './bid-show.ts';
import { builderCall, completeStep, isClosed, sendersNow, showStep, standingView } from './template-show.ts';

type Opening = Pick<CommandCall | ActionCall, 'services' | 'triggerId' | 'person' | 'channel' | 'answer'>;

/**
 * Opens the builder at once: the trigger lives 3 s, so nobody is waited for before. Where Slack does not open it, the person is
 * told how to come back to the draft.
 * @param step missing: where the draft is taken up again
 */
export async function openTemplate(
  call: Opening,
  draft: TemplateDraft,
  step: TemplateStep = stepOf(draft),
): Promise<void> {
  const { services, channel, triggerId } = call;
  const builder = builderCall(call);
  const spot = { channel, step };
  const facts: BuilderFacts = { draft, spot, senders: await sendersNow(builder, spot) };
  const view = isClosed(draft) ? standingView(draft, channel) : builderView(facts);
  let viewId: string;
  try {
    viewId = await services.slack.openView(triggerId, view);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    const failure = describeFailure(services, 'could not open the template builder', thrown);
    return call.answer(notOpenedMessage(failure, draft));
  }
  if (!isClosed(draft) && facts.senders.kind === 'loading') await completeStep(builder, viewId, facts, view);
}

/** Shows the builder in a view that is open. @returns false when the person has closed it */
export function showTemplate(
  call: Pick<Opening, 'services' | 'person' | 'channel'>,
  viewId: string,
  draft: TemplateDraft,
  step: TemplateStep = stepOf(draft),
): Promise<boolean> {
  return showStep(builderCall(call), viewId, draft, { channel: call.channel, step });
}
