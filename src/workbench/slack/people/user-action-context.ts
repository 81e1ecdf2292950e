/** What every user action needs: the workspace, the connection to the app, common parts of payloads. */
import type { AppRequestDispatcher } from '../delivery/dispatcher.ts';
import type { AppRequestType, DeliveryResult } from '../delivery/sent-request.ts';
import { objectOrEmpty, objectsInList } from '../json-reading.ts';
import type { JsonObject, SlackUser } from '../objects.ts';
import type { ResponseUrlTarget } from '../response-urls.ts';
import type { AppFailureCode, UserActionResult } from '../simulated-slack.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { SlackApiError } from '../web/slack-api-error.ts';

export interface UserActionContext {
  readonly site: SlackSimulatorContext;
  readonly dispatcher: AppRequestDispatcher;
  /** The app's suggested options, by person and `action_id`. */
  readonly offered: Map<string, readonly JsonObject[]>;
}

/** For interactions only: a command has its own flat form. */
export function baseInteractionPayload(
  site: SlackSimulatorContext,
  type: string,
  user: SlackUser,
  triggerId: string,
): JsonObject {
  const { team, bot } = site.world;
  return {
    type,
    team: { id: team.id, domain: team.domain },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: bot.appId,
    token: 'simulated-verification-token',
    trigger_id: triggerId,
    is_enterprise_install: false,
    enterprise: null,
  };
}

export function issueResponseUrl(site: SlackSimulatorContext, target: ResponseUrlTarget): string {
  return `${site.origin()}${site.responseUrls.issue(target)}`;
}

function failureOf(delivered: DeliveryResult): AppFailureCode | undefined {
  if (delivered.acked) return undefined;
  if (delivered.trouble?.endsWith('timeout')) return 'operation_timeout';
  return delivered.trouble === 'http_error' ? 'http_service_error' : 'dispatch_failed';
}

function withoutBlockIds(view: JsonObject): JsonObject {
  const blocks = objectsInList(view['blocks']).map(({ block_id: id, ...block }) =>
    block['type'] === 'input' ? { ...block, block_id: id } : block,
  );
  return { ...view, blocks };
}

/** The payload without the fields that Slack may omit. */
function withoutOptional(payload: JsonObject): JsonObject {
  const { response_urls: _urls, container, view, ...rest } = payload;
  const { is_ephemeral: isEphemeral, ...place } = objectOrEmpty(container);
  return {
    ...rest,
    team: null,
    ...(container === undefined ? {} : { container: isEphemeral ? { ...place, is_ephemeral: true } : place }),
    ...(view ? { view: withoutBlockIds(objectOrEmpty(view)) } : {}),
  };
}

export async function sendRequestToApp(
  desk: UserActionContext,
  type: AppRequestType,
  payload: JsonObject,
  triggerId: string,
  responseUrl: string | undefined,
): Promise<UserActionResult> {
  const isBare = type === 'interactive' && desk.site.settings.optionalFields === 'left-out';
  const sent = isBare ? withoutOptional(payload) : payload;
  const delivered = await desk.dispatcher.send({ type, payload: sent, retryNum: 0, retryReason: '' });
  const { acked, status, body } = delivered;
  return { acked, failure: failureOf(delivered), body, status, triggerId, responseUrl };
}

/** Logs an answer that Slack would have refused as an error. */
export function logRefusedAnswer(
  site: SlackSimulatorContext,
  what: string,
  args: JsonObject,
  thrown: SlackApiError,
): void {
  const { code: error, messages } = thrown;
  site.journal.recordCall({
    method: what,
    at: site.clock.now(),
    args,
    ok: false,
    error,
    messages,
    ordered: false,
  });
}

/** Applies an acknowledgement; logs a refusal, since the person would see an error. */
export function runLoggingRefusal<T>(
  site: SlackSimulatorContext,
  what: string,
  args: JsonObject,
  run: () => T,
): T | undefined {
  try {
    return run();
  } catch (thrown) {
    if (!(thrown instanceof SlackApiError)) throw thrown;
    logRefusedAnswer(site, what, args, thrown);
    return undefined;
  }
}
