/** What tests read: the current messages, views and files, and the logs. */
import type { SlackWorkspaceContents } from './simulated-slack.ts';
import type { SlackSimulatorContext } from './simulator-context.ts';

export function createSlackWorkspaceContents(site: SlackSimulatorContext): SlackWorkspaceContents {
  const { world, messages, views, files, journal } = site;
  const id = (channel: string) => world.channel(channel).id;
  return {
    messages: (channel) => messages.topLevelMessages(id(channel)),
    thread: (channel, ts) => messages.thread(id(channel), ts),
    message: (channel, ts) => messages.find(id(channel), ts),
    ephemerals: (user, channel) => {
      const userId = user === undefined ? undefined : world.user(user).id;
      const channelId = channel === undefined ? undefined : id(channel);
      return messages
        .ephemeral(channelId)
        .filter((each) => userId === undefined || each.ephemeralFor === userId);
    },
    directMessages: (user) => messages.topLevelMessages(world.directChannel(world.user(user).id).id),
    view: (user) => views.top(world.user(user).id),
    viewStack: (user) => views.stack(world.user(user).id),
    home: (user) => views.home(world.user(user).id),
    files: (on) => files.all().filter(({ id: file }) => on === undefined || on.fileIds.includes(file)),
    unfurls: () =>
      messages
        .all()
        .flatMap(({ channel, ts, unfurls }) =>
          Object.entries(unfurls).map(([url, unfurl]) => ({ channel, ts, url, unfurl })),
        ),
    apiCalls: (method) => journal.calls().filter((call) => method === undefined || call.method === method),
    failedCalls: () => journal.calls().filter((call) => !call.ok && !call.ordered),
    get openRequests() {
      return journal.openRequests;
    },
    waitForCondition: (condition) => journal.waitForCondition(condition),
    waitUntilQuiet: () => journal.waitUntilQuiet(),
    onChange: (listener) => journal.onChange(listener),
  };
}
