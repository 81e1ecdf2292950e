/**
 * The shape of the route table for routing, roles and help. The table is in `all-routes.ts`; tests bring
 * their own.
 */
import type {
  ActionRoute,
  CommandRoute,
  HomeOpenedCall,
  LinkSharedCall,
  ShortcutRoute,
  ViewRoute,
} from './routes.ts';

export interface RouteTable {
  readonly commands: readonly CommandRoute[];
  readonly actions: readonly ActionRoute[];
  readonly views: readonly ViewRoute[];
  readonly shortcuts: readonly ShortcutRoute[];
  /** By Slack's event name. */
  readonly events: {
    readonly link_shared?: (call: LinkSharedCall) => Promise<void>;
    readonly app_home_opened?: (call: HomeOpenedCall) => Promise<void>;
  };
}

/** @throws RangeError when two routes of a kind have the same name, which is always our bug. */
export function assertUniqueRoutes(table: RouteTable): void {
  const names = {
    command: table.commands.map((route) => route.word),
    action: table.actions.map((route) => route.id),
    view: table.views.map((route) => route.id),
    shortcut: table.shortcuts.map((route) => route.id),
  };
  for (const [kind, all] of Object.entries(names)) {
    const twice = all.find((name, place) => all.indexOf(name) !== place);
    if (twice !== undefined) throw new RangeError(`two routes for the ${kind} ${twice}`);
  }
}
