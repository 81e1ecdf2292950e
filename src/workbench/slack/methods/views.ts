/** Modals and Homes. */
import { assignBlockIds } from '../blocks/assign-block-ids.ts';
import { findRefusedBlocks } from '../blocks/refused-blocks.ts';
import { findViewProblems, isViewTooLarge } from '../blocks/view-rules.ts';
import { objectOrEmpty, stringOrUndefined } from '../json-reading.ts';
import { viewJson } from '../object-json.ts';
import type { JsonObject, SlackView } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { MAX_STACKED_VIEWS, type ViewDraft } from '../view-store.ts';
import type { CallArguments } from '../web/arguments.ts';
import { invalidArgumentsError, SlackApiError } from '../web/slack-api-error.ts';
import type { WebApiMethods } from './method.ts';

/** A valid view. @throws SlackApiError `view_too_large`, `invalid_arguments`, `duplicate_external_id` */
export function parseViewDraft(
  value: unknown,
  type: 'modal' | 'home',
  site: SlackSimulatorContext,
  replaces?: SlackView,
): ViewDraft {
  if (value === undefined || value === null) throw invalidArgumentsError('missing required field: view');
  if (isViewTooLarge(value)) throw new SlackApiError('view_too_large');
  const refused = findRefusedBlocks(
    objectOrEmpty(value)['blocks'],
    site.settings.refusedBlocks,
    '/view/blocks',
  );
  if (refused) throw invalidArgumentsError(...refused);
  const problems = findViewProblems(value, type);
  if (problems.length > 0) throw invalidArgumentsError(...problems);
  const view = objectOrEmpty(value);
  const externalId = stringOrUndefined(view['external_id']);
  const holder = externalId ? site.views.find({ externalId }) : undefined;
  if (holder && holder.id !== replaces?.id) throw new SlackApiError('duplicate_external_id');
  return { view, blocks: assignBlockIds(view['blocks'], site.ids) };
}

/**
 * The person who caused the trigger. @throws SlackApiError `invalid_trigger_id`, `expired_trigger_id`,
 * `exchanged_trigger_id`
 */
function triggerOwner(args: CallArguments, site: SlackSimulatorContext): string {
  const exchange = site.triggers.checkTrigger(args.requireText('trigger_id'));
  if ('error' in exchange) throw new SlackApiError(exchange.error);
  return exchange.userId;
}

function given(args: CallArguments): unknown {
  return args.json('view', 'invalid_arguments');
}

function open(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const userId = triggerOwner(args, site);
  const draft = parseViewDraft(given(args), 'modal', site);
  site.triggers.markUsed(args.requireText('trigger_id'));
  return { view: viewJson(site, site.views.open(userId, draft)) };
}

function push(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const userId = triggerOwner(args, site);
  const draft = parseViewDraft(given(args), 'modal', site);
  const depth = site.views.stack(userId).length;
  if (depth === 0) throw new SlackApiError('not_found');
  if (depth >= MAX_STACKED_VIEWS) throw new SlackApiError('push_limit_reached');
  site.triggers.markUsed(args.requireText('trigger_id'));
  return { view: viewJson(site, site.views.push(userId, draft)) };
}

/** @throws SlackApiError `hash_conflict` when the view has changed since the app read it. */
function checkHash(args: CallArguments, view: SlackView | undefined): void {
  const hash = args.text('hash');
  if (hash && view && hash !== view.hash) throw new SlackApiError('hash_conflict');
}

function update(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const [id, externalId] = [args.text('view_id'), args.text('external_id')];
  if (!id && !externalId) throw invalidArgumentsError('missing required field: view_id');
  const view = site.views.find({ id, externalId });
  if (!view) throw new SlackApiError('not_found');
  checkHash(args, view);
  return {
    view: viewJson(site, site.views.update(view, parseViewDraft(given(args), view.type, site, view))),
  };
}

function publish(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const user = site.world.findUser(args.requireText('user_id'));
  if (!user || user.bot) throw invalidArgumentsError('failed to find the user [json-pointer:/user_id]');
  const old = site.views.home(user.id);
  checkHash(args, old);
  return {
    view: viewJson(site, site.views.publish(user.id, parseViewDraft(given(args), 'home', site, old))),
  };
}

export const viewMethods: WebApiMethods = {
  'views.open': { run: open },
  'views.push': { run: push },
  'views.update': { run: update },
  'views.publish': { run: publish },
};
