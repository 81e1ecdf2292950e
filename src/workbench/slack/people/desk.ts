/** What every action of a person needs: the workspace, the way to the app, and the parts that all payloads share. */
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { Delivered, RequestType } from '../delivery/sent-request.ts';
import type { Json, User } from '../objects.ts';
import { objectOf, objectsOf } from '../reading.ts';
import type { ResponseTarget } from '../response-urls.ts';
import type { Answer, Failure } from '../simulated-slack.ts';
import type { Site } from '../site.ts';
import { Refusal } from '../web/refusal.ts';

export interface Desk {
  readonly site: Site;
  readonly dispatcher: Dispatcher;
  /** Options that the app offered, by person and `action_id`. */
  readonly offered: Map<string, readonly Json[]>;
}

/** Of an interaction: a command has its own flat form. */
export function interactionBase(site: Site, type: string, user: User, triggerId: string): Json {
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

export function issueResponseUrl(site: Site, target: ResponseTarget): string {
  return `${site.origin()}${site.responseUrls.issue(target)}`;
}

function failureOf(delivered: Delivered): Failure | undefined {
  if (delivered.acked) return undefined;
  if (delivered.trouble?.endsWith('timeout')) return 'operation_timeout';
  return delivered.trouble === 'http_error' ? 'http_service_error' : 'dispatch_failed';
}

function withoutBlockIds(view: Json): Json {
  const blocks = objectsOf(view['blocks']).map(({ block_id: id, ...block }) =>
    block['type'] === 'input' ? { ...block, block_id: id } : block,
  );
  return { ...view, blocks };
}

/** The payload with as little as Slack may send. */
function withoutOptional(payload: Json): Json {
  const { response_urls: _urls, container, view, ...rest } = payload;
  const { is_ephemeral: isEphemeral, ...place } = objectOf(container);
  return {
    ...rest,
    team: null,
    ...(container === undefined ? {} : { container: isEphemeral ? { ...place, is_ephemeral: true } : place }),
    ...(view ? { view: withoutBlockIds(objectOf(view)) } : {}),
  };
}

export async function sendToApp(
  desk: Desk,
  type: RequestType,
  payload: Json,
  triggerId: string,
  responseUrl: string | undefined,
): Promise<Answer> {
  const isBare = type === 'interactive' && desk.site.settings.optionalFields === 'left-out';
  const sent = isBare ? withoutOptional(payload) : payload;
  const delivered = await desk.dispatcher.send({ type, payload: sent, retryNum: 0, retryReason: '' });
  const { acked, status, body } = delivered;
  return { acked, failure: failureOf(delivered), body, status, triggerId, responseUrl };
}

/** Puts an answer that Slack would have refused into the log of errors. */
export function logRefused(site: Site, what: string, args: Json, thrown: Refusal): void {
  const { code: error, messages } = thrown;
  site.journal.log({ method: what, at: site.clock.now(), args, ok: false, error, messages, ordered: false });
}

/** Runs what an acknowledgement asks for; a refusal is logged, as the person would see trouble. */
export function carryOut<T>(site: Site, what: string, args: Json, run: () => T): T | undefined {
  try {
    return run();
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    logRefused(site, what, args, thrown);
    return undefined;
  }
}
