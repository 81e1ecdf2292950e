/** Checks that no two routes have the same name. */
import type { RouteTable } from './routes.ts';

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
