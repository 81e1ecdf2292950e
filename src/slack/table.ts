/** The one table: every command, press, shortcut and event, and what handles it. Routing, roles and help come from it. */
import { claim, release, unskip } from './actions/claims.ts';
import { details } from './actions/details.ts';
import { more } from './actions/more.ts';
import { openLink } from './actions/open-link.ts';
import { resultActions } from './actions/results.ts';
import { showMore } from './actions/show-more.ts';
import * as subscriptions from './actions/subscriptions.ts';
import { budget } from './commands/budget.ts';
import { helpOn } from './commands/help.ts';
import { list } from './commands/list.ts';
import { lookup } from './commands/lookup.ts';
import { pause, resume } from './commands/pause.ts';
import { results } from './commands/results.ts';
import { status } from './commands/status.ts';
import { subscribe } from './commands/subscribe.ts';
import { unsubscribe } from './commands/unsubscribe.ts';
import type { ActionRoute, CommandRoute, LinkSharedCall, ShortcutRoute } from './routes.ts';
import { lookUpProject } from './shortcuts/look-up-project.ts';
import { unfurlProjects } from './unfurls/unfurl-projects.ts';

/** In the order of help. */
export const commands: readonly CommandRoute[] = [
  subscribe,
  unsubscribe,
  list,
  pause,
  resume,
  lookup,
  results,
  budget,
  status,
  helpOn(() => commands),
];

export const actions: readonly ActionRoute[] = [
  details,
  claim,
  release,
  more,
  unskip,
  showMore,
  subscriptions.unsubscribe,
  subscriptions.unmute,
  subscriptions.density,
  ...resultActions,
  openLink,
];

export const shortcuts: readonly ShortcutRoute[] = [lookUpProject];

/** By Slack's name of the event. */
export const events: { readonly link_shared: (call: LinkSharedCall) => Promise<void> } = {
  link_shared: unfurlProjects,
};
