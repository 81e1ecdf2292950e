/** Routes every kind of Slack request from the SDK to the dispatcher of its workspace. */
import type { App, ViewClosedAction, ViewSubmitAction } from '@slack/bolt';
import type { ServedTeam } from './teams.ts';

const ANYTHING = /(?:)/u;

/**
 * Listens to everything, known or not: requests without a listener end in an error after 3 s.
 * @param findServed the workspace of a body that is being handled
 */
export function registerSlackListeners(app: App, findServed: (body: object) => ServedTeam): void {
  const dispatcherOf = (body: object) => findServed(body).dispatcher;
  app.command(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).command(body, ack, readReceivedAt(context)),
  );
  app.action(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).action(body, ack, readReceivedAt(context)),
  );
  app.shortcut(ANYTHING, ({ body, ack, context }) =>
    dispatcherOf(body).shortcut(body, ack, readReceivedAt(context)),
  );
  app.view<ViewSubmitAction>({ callback_id: ANYTHING, type: 'view_submission' }, ({ body, ack, context }) =>
    dispatcherOf(body).view(body, ack, readReceivedAt(context)),
  );
  app.view<ViewClosedAction>({ callback_id: ANYTHING, type: 'view_closed' }, ({ body, ack, context }) =>
    dispatcherOf(body).viewClosed(body, ack, readReceivedAt(context)),
  );
  app.options(ANYTHING, ({ ack }) => ack({ options: [] }));
  app.event('app_home_opened', async ({ body }) => dispatcherOf(body).events.homeOpened(body));
  app.event('link_shared', async ({ body }) => dispatcherOf(body).events.linkShared(body));
  app.event('member_joined_channel', async ({ body }) => {
    const { dispatcher, identity } = findServed(body);
    dispatcher.events.memberJoined(body, identity.botUserId);
  });
  app.event('channel_id_changed', async ({ body }) => dispatcherOf(body).events.channelIdChanged(body));
  app.event('app_mention', async ({ body }) => {
    const { dispatcher, identity } = findServed(body);
    dispatcher.events.mentioned(body, identity.botUserId);
  });
  app.event('message', async ({ body }) => {
    const { dispatcher, identity } = findServed(body);
    dispatcher.events.directMessage(body, identity.botUserId);
  });
}

/** When the request arrived; set by the receivers. */
export function readReceivedAt(context: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const at = context?.['receivedAt'];
  return typeof at === 'number' ? at : undefined;
}
