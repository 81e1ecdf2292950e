/** Routes all Slack requests to the dispatcher. */
import type { App, ViewClosedAction, ViewSubmitAction } from '@slack/bolt';
import type { SlackDispatcher } from './slack-dispatcher.ts';

const ANYTHING = /(?:)/u;

/**
 * Routes every kind of Slack request to the dispatcher, known or not: requests without a Bolt listener end in
 * an error after 3 s.
 */
export function registerSlackListeners(app: App, boundary: SlackDispatcher): void {
  app.command(ANYTHING, ({ body, ack, context }) => boundary.command(body, ack, receivedAt(context)));
  app.action(ANYTHING, ({ body, ack, context }) => boundary.action(body, ack, receivedAt(context)));
  app.shortcut(ANYTHING, ({ body, ack, context }) => boundary.shortcut(body, ack, receivedAt(context)));
  app.view<ViewSubmitAction>({ callback_id: ANYTHING, type: 'view_submission' }, ({ body, ack, context }) =>
    boundary.view(body, ack, receivedAt(context)),
  );
  app.view<ViewClosedAction>({ callback_id: ANYTHING, type: 'view_closed' }, ({ body, ack, context }) =>
    boundary.viewClosed(body, ack, receivedAt(context)),
  );
  app.options(ANYTHING, ({ ack }) => ack({ options: [] }));
  app.event('app_home_opened', async ({ body }) => boundary.homeOpened(body));
  app.event('link_shared', async ({ body }) => boundary.linkShared(body));
}

/** When the request arrived; set by the receiver (connect.ts, http-receiver.ts). */
function receivedAt(context: Readonly<Record<string, unknown>>): number | undefined {
  const at = context['receivedAt'];
  return typeof at === 'number' ? at : undefined;
}
