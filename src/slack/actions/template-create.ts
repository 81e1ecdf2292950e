/** Sending the template off: once for what was seen, with the outcome in the builder's place. */
import type { TemplateDraft } from '../../templates/records.ts';
import type { TemplateOutcome } from '../../templates/templates.ts';
import {
  templateNotSentMessage,
  templateOutcomeMessage,
  templateStandingMessage,
} from '../messages/template-outcome.ts';
import type { ActionCall, Message } from '../routes.ts';
import { type NoticeSpot, templateMessageView } from '../views/template-notices.ts';
import { describeFailure } from './bid-show.ts';
import { showMessage } from './template-show.ts';

type Creating = Pick<ActionCall, 'services' | 'person' | 'answer'>;

function show(call: Creating, viewId: string, spot: NoticeSpot, message: Message): Promise<void> {
  return showMessage(call, viewId, templateMessageView(message, spot), message);
}

/** @param spot `revision`: of the review that was pressed */
export async function create(call: Creating, viewId: string, spot: NoticeSpot): Promise<void> {
  const { services, person } = call;
  const { draft, channel, revision: seen } = spot;
  let outcome: TemplateOutcome;
  try {
    outcome = await services.templates.submit({ user: person.user, draft, seen, channel });
  } catch (thrown) {
    const failure = describeFailure(services, 'could not send a proposal template', thrown);
    return show(call, viewId, spot, templateNotSentMessage(failure, draft));
  }
  await show(call, viewId, spot, templateOutcomeMessage(outcome));
  if (outcome.kind === 'taken') await showLater(call, viewId, spot, outcome.draft);
}

/** The other press may have had its answer while this one was told that it waits for it. */
async function showLater(
  call: Creating,
  viewId: string,
  spot: NoticeSpot,
  told: TemplateDraft,
): Promise<void> {
  const { services, person } = call;
  const now = await services.templates.drafts.read({ user: person.user, draft: spot.draft });
  if (told.state !== 'sending' || !now || now.revision === told.revision) return;
  await show(call, viewId, spot, templateStandingMessage(now));
}
