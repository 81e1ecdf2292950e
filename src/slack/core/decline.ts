/** What Slack and the person get for a request that no handler here takes. Pure. */
import { getCallKind, PartialCallPayload, PartialSubmissionPayload } from './payloads.ts';
import type { SlackBody } from './read-body.ts';
import { ACKNOWLEDGED, type Acknowledgement, NOT_NOW, toAcknowledgement } from './slack-request.ts';
import { explainInView } from './view-errors.ts';

export interface Declined {
  readonly acknowledgement: Acknowledgement;
  /** Where the sentence still has to be sent: the acknowledgement can't carry it. */
  readonly responseUrl?: string;
}

/**
 * Events are left unacknowledged, so that Slack sends them again. Everything else is acknowledged.
 * @param title of a window without inputs, at most 24 characters
 */
export function declineRequest(body: SlackBody, title: string, words: string): Declined {
  if (body['type'] === 'event_callback') return { acknowledgement: NOT_NOW };
  if (body['type'] === 'block_suggestion') return { acknowledgement: toAcknowledgement({ options: [] }) };
  switch (getCallKind(body)) {
    case 'command':
      return { acknowledgement: toAcknowledgement({ response_type: 'ephemeral', text: words }) };
    case 'view': {
      const { data } = PartialSubmissionPayload.safeParse(body);
      return { acknowledgement: data ? toAcknowledgement(explainInView(data, title, words)) : ACKNOWLEDGED };
    }
    case 'action':
    case 'shortcut': {
      const responseUrl = PartialCallPayload.safeParse(body).data?.response_url;
      return responseUrl ? { acknowledgement: ACKNOWLEDGED, responseUrl } : { acknowledgement: ACKNOWLEDGED };
    }
    case undefined:
      return { acknowledgement: ACKNOWLEDGED };
  }
}
