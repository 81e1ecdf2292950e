/** Modals and Homes. */
import { nameBlocks } from '../blocks/name-blocks.ts';
import { isTooLarge, viewProblems } from '../blocks/view-rules.ts';
import type { Json, View } from '../objects.ts';
import { objectOf, textOf } from '../reading.ts';
import type { Site } from '../site.ts';
import { STACK_LIMIT, type ViewDraft } from '../view-store.ts';
import type { Arguments } from '../web/arguments.ts';
import { invalidArguments, Refusal } from '../web/refusal.ts';
import { viewJson } from '../wire.ts';
import type { Methods } from './method.ts';

/** A view fit to be shown. @throws Refusal `view_too_large`, `invalid_arguments`, `duplicate_external_id` */
export function readView(value: unknown, type: 'modal' | 'home', site: Site, replaces?: View): ViewDraft {
  if (value === undefined || value === null) throw invalidArguments('missing required field: view');
  if (isTooLarge(value)) throw new Refusal('view_too_large');
  const problems = viewProblems(value, type);
  if (problems.length > 0) throw invalidArguments(...problems);
  const view = objectOf(value);
  const externalId = textOf(view['external_id']);
  const holder = externalId ? site.views.find({ externalId }) : undefined;
  if (holder && holder.id !== replaces?.id) throw new Refusal('duplicate_external_id');
  return { view, blocks: nameBlocks(view['blocks'], site.ids) };
}

/** Whose trigger it is. @throws Refusal `invalid_trigger_id`, `expired_trigger_id`, `exchanged_trigger_id` */
function triggerOwner(args: Arguments, site: Site): string {
  const exchange = site.triggers.look(args.need('trigger_id'));
  if ('error' in exchange) throw new Refusal(exchange.error);
  return exchange.userId;
}

function given(args: Arguments): unknown {
  return args.json('view', 'invalid_arguments');
}

function open(args: Arguments, site: Site): Json {
  const userId = triggerOwner(args, site);
  const draft = readView(given(args), 'modal', site);
  site.triggers.use(args.need('trigger_id'));
  return { view: viewJson(site, site.views.open(userId, draft)) };
}

function push(args: Arguments, site: Site): Json {
  const userId = triggerOwner(args, site);
  const draft = readView(given(args), 'modal', site);
  const depth = site.views.stack(userId).length;
  if (depth === 0) throw new Refusal('not_found');
  if (depth >= STACK_LIMIT) throw new Refusal('push_limit_reached');
  site.triggers.use(args.need('trigger_id'));
  return { view: viewJson(site, site.views.push(userId, draft)) };
}

/** @throws Refusal `hash_conflict` when the view has changed since the app read it. */
function checkHash(args: Arguments, view: View | undefined): void {
  const hash = args.text('hash');
  if (hash && view && hash !== view.hash) throw new Refusal('hash_conflict');
}

function update(args: Arguments, site: Site): Json {
  const [id, externalId] = [args.text('view_id'), args.text('external_id')];
  if (!id && !externalId) throw invalidArguments('missing required field: view_id');
  const view = site.views.find({ id, externalId });
  if (!view) throw new Refusal('not_found');
  checkHash(args, view);
  return { view: viewJson(site, site.views.update(view, readView(given(args), view.type, site, view))) };
}

function publish(args: Arguments, site: Site): Json {
  const user = site.world.findUser(args.need('user_id'));
  if (!user || user.bot) throw invalidArguments('failed to find the user [json-pointer:/user_id]');
  const old = site.views.home(user.id);
  checkHash(args, old);
  return { view: viewJson(site, site.views.publish(user.id, readView(given(args), 'home', site, old))) };
}

export const viewMethods: Methods = {
  'views.open': { run: open },
  'views.push': { run: push },
  'views.update': { run: update },
  'views.publish': { run: publish },
};
