/** The shape of the one table, and how it is bound to Bolt. The table itself is `table.ts`; tests bring their own. */
import type { App } from '@slack/bolt';
import type { Boundary } from './boundary.ts';
import type { ActionRoute, CommandRoute, LinkSharedCall, ShortcutRoute } from './routes.ts';

export interface RouteTable {
  readonly commands: readonly CommandRoute[];
  readonly actions: readonly ActionRoute[];
  readonly shortcuts: readonly ShortcutRoute[];
  /** By Slack's name of the event. */
  readonly events: { readonly link_shared?: (call: LinkSharedCall) => Promise<void> };
}

/** @throws RangeError when two routes of a kind have the same name, which is always a bug of ours. */
export function checkTable(table: RouteTable): void {
  const names = {
    command: table.commands.map((route) => route.word),
    action: table.actions.map((route) => route.id),
    shortcut: table.shortcuts.map((route) => route.id),
  };
  for (const [kind, all] of Object.entries(names)) {
    const twice = all.find((name, place) => all.indexOf(name) !== place);
    if (twice !== undefined) throw new RangeError(`two routes for the ${kind} ${twice}`);
  }
}

const ANYTHING = /(?:)/u;

/**
 * Binds everything that Slack can send to the boundary, known or not: what Bolt finds no listener for ends in an
 * error after 3 s.
 */
export function register(app: App, boundary: Boundary): void {
  app.command(ANYTHING, ({ body, ack, context }) => boundary.command(body, ack, receivedAt(context)));
  app.action(ANYTHING, ({ body, ack, context }) => boundary.action(body, ack, receivedAt(context)));
  app.shortcut(ANYTHING, ({ body, ack, context }) => boundary.shortcut(body, ack, receivedAt(context)));
  app.view({ callback_id: ANYTHING, type: 'view_submission' }, ({ ack }) => ack());
  app.view({ callback_id: ANYTHING, type: 'view_closed' }, ({ ack }) => ack());
  app.options(ANYTHING, ({ ack }) => ack({ options: [] }));
  app.event('link_shared', async ({ body }) => boundary.linkShared(body));
}

/** When the request arrived; set by the receiver (connect.ts). */
function receivedAt(context: Readonly<Record<string, unknown>>): number | undefined {
  const at = context['receivedAt'];
  return typeof at === 'number' ? at : undefined;
}
