/** Submits the template once per shown revision, and shows the outcome in the builder's place. */

import type { TemplateDraft } from '../../templates/records.ts';
import type { SubmitTemplateResult } from '../../templates/template-service.ts';
import { logAndDescribeFailure } from '../core/handler-steps.ts';
import type { ActionCall, Message } from '../core/routes.ts';
import { type TemplateNoticeLocation, templateMessageView } from './template-notices.ts';
import {
  templateNotSentMessage,
  templateStateMessage,
  templateSubmitResultMessage,
} from './template-outcome.ts';
import { showMessageInView } from './template-show.ts';

type Creating = Pick<ActionCall, 'services' | 'person' | 'answer'>;

function show(call: Creating, viewId: string, spot: TemplateNoticeLocation, message: Message): Promise<void> {
  return showMessageInView(call, viewId, templateMessageView(message, spot), message);
}

/** @param spot `revision`: of the pressed review */
export async function submitTemplateAndShowResult(
  call: Creating,
  viewId: string,
  spot: TemplateNoticeLocation,
): Promise<void> {
  const { services, person } = call;
  const { draft, channel, revision: seen } = spot;
  let outcome: SubmitTemplateResult;
  try {
    outcome = await services.templates.submitDraft({ user: person.user, draft, seen, channel });
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not send a proposal template', thrown);
    return show(call, viewId, spot, templateNotSentMessage(failure, draft));
  }
  await show(call, viewId, spot, templateSubmitResultMessage(outcome));
  if (outcome.kind === 'taken') await showLater(call, viewId, spot, outcome.draft);
}

/** The other press may have finished while this one showed that it was waiting. */
async function showLater(
  call: Creating,
  viewId: string,
  spot: TemplateNoticeLocation,
  told: TemplateDraft,
): Promise<void> {
  const { services, person } = call;
  const now = await services.templates.drafts.read({ user: person.user, draft: spot.draft });
  if (told.state !== 'sending' || !now || now.revision === told.revision) return;
  await show(call, viewId, spot, templateStateMessage(now));
}
