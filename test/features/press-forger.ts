/** Requests from Slack in the name of others, or with other contents, over the app's own connection. */
import type { SentAppRequest, SlackChange } from '../../src/workbench/slack/simulated-slack.ts';
import type { Desk } from '../kit/start-desk.ts';

type Json = Readonly<Record<string, unknown>>;

/** Nobody listens here. */
const NOWHERE = 'http://127.0.0.1:1/';

/** What Slack would send for this; the app doesn't get it. */
export async function capture({ slack }: Desk, send: () => Promise<unknown>): Promise<SentAppRequest> {
  const before = slack.sentRequests().length;
  slack.attachHttp(NOWHERE);
  await send();
  slack.detachHttp();
  const request = slack.sentRequests()[before];
  if (!request) throw new Error('nothing was sent');
  return request;
}

/** The request as if this person had just sent it, from another channel if named. */
export async function asSentBy(
  desk: Desk,
  name: string,
  request: SentAppRequest,
  channel?: string,
): Promise<SentAppRequest> {
  const { slack } = desk;
  const { id, teamId } = slack.user(name);
  const own = request.payload;
  if (request.type === 'events_api') {
    const event = { ...(own['event'] as Json), user: id };
    return { ...request, payload: { ...own, event_id: `Ev${slack.sentRequests().length}`, event } };
  }
  const typed = await capture(desk, () =>
    slack.runSlashCommand({ user: name, channel: channel ?? 'board', text: 'help' }),
  );
  const { trigger_id, response_url, user_id, user_name } = typed.payload;
  if (request.type === 'slash_commands')
    return { ...request, payload: { ...own, trigger_id, response_url, user_id, user_name } };
  const user = { ...(own['user'] as Json), id, name, username: name, team_id: teamId };
  const fresh = { trigger_id, ...(own['response_url'] ? { response_url } : {}), user };
  if (channel === undefined || !own['channel']) return { ...request, payload: { ...own, ...fresh } };
  const ts = slack.messages(channel)[0]?.ts;
  const place = { id: slack.channel(channel).id, name: channel };
  const container = { ...(own['container'] as Json), channel_id: place.id, message_ts: ts };
  const message = own['message'] ? { message: { ...(own['message'] as Json), ts } } : {};
  return { ...request, payload: { ...own, ...fresh, ...message, channel: place, container } };
}

/** Where a payload has what the app gave to Slack; Slack itself vouches for the rest. */
const APPS_OWN = ['actions', 'view', 'message', 'container', 'text'];

/** The request with other values in fields that the app or the person filled. */
export function withOthers(
  request: SentAppRequest,
  instead: (name: string, value: string) => unknown,
): SentAppRequest {
  const inside = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return instead(name, value);
    if (Array.isArray(value)) return value.map((it) => inside(it, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, inside(it, key)]));
  };
  const payload = Object.entries(request.payload).map(([name, value]) => [
    name,
    APPS_OWN.includes(name) ? inside(value, name) : value,
  ]);
  return { ...request, payload: Object.fromEntries(payload) };
}

/** What the people and the marketplace notice between two looks. */
export class Watcher {
  readonly #desk: Desk;
  #changes: SlackChange[] = [];
  #writes = 0;
  #lines = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    desk.slack.onChange((it) => this.#changes.push(it));
  }

  /** Since the last look. */
  look() {
    const { slack, market, app } = this.#desk;
    const changes = this.#changes;
    this.#changes = [];
    const all = market.service.requests().filter((it) => it.method !== 'GET');
    const writes = all.slice(this.#writes);
    this.#writes = all.length;
    const lines = app.logLines.slice(this.#lines);
    this.#lines = app.logLines.length;
    const messages = changes.flatMap((it) => ('message' in it ? [{ ...it.message, kind: it.kind }] : []));
    const isPublic = ({ channel, kind, ephemeralFor }: (typeof messages)[number]) =>
      !ephemeralFor && kind !== 'unfurled' && !channel.startsWith('D');
    return {
      /** Requests that change something on the marketplace. */
      writes: writes.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? '')}`),
      /** What everyone in a channel saw. */
      posts: messages.filter(isPublic).map((it) => `${it.kind} in ${it.channel}: ${it.text}`),
      /** What this person alone saw; empty for nothing. */
      answersTo: (name: string): string => {
        const { id } = slack.user(name);
        const inbox = slack.directMessages(name)[0]?.channel;
        const told = messages.filter((it) => it.ephemeralFor === id || it.channel === inbox);
        const isDrawn = changes.some((it) => 'userId' in it && it.userId === id);
        const views = isDrawn ? [slack.view(name), slack.home(name)] : [];
        const shown = [...told, ...views].flatMap((it) =>
          it ? [it.blocks, 'text' in it ? it.text : it.title] : [],
        );
        return shown.length > 0 ? JSON.stringify(shown) : '';
      },
      /** The log's errors. */
      errors: lines.filter((it) => it.includes('"level":50') && !it.includes('"code":"not_found"')),
    };
  }
}
