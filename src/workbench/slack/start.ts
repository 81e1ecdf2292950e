/** Puts the simulated Slack together and starts it on the loopback. */
import { machineClock } from '../../clock.ts';
import { dateToTell, type RunningHttpServer, startHttpServer } from '../http.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { EventMill } from './delivery/event-mill.ts';
import { RequestSender } from './delivery/signed-requests.ts';
import { SocketHub } from './delivery/socket-hub.ts';
import { FileStore } from './file-store.ts';
import { Identifiers } from './identifiers.ts';
import { Journal } from './journal.ts';
import { MessageStore } from './message-store.ts';
import { ALL_SCOPES } from './methods/all.ts';
import { command, globalShortcut, messageShortcut } from './people/commands.ts';
import type { Desk } from './people/desk.ts';
import { choose, press } from './people/press.ts';
import { closeView, submitView } from './people/submit.ts';
import { suggest } from './people/suggest.ts';
import { joinChannel, linkShared, mention, openHome, say } from './people/talk.ts';
import { ResponseUrls } from './response-urls.ts';
import { screensOf } from './screens.ts';
import type {
  SimulatedSlack,
  SlackConnections,
  SlackFaults,
  SlackOptions,
  SlackPeople,
  SlackSettings,
  SlackWorld,
} from './simulated-slack.ts';
import type { Settings, Site } from './site.ts';
import { TriggerStore } from './trigger-store.ts';
import { ViewStore } from './view-store.ts';
import { FaultDesk } from './web/fault-desk.ts';
import { RateLimits } from './web/rate-limits.ts';
import { serveApp } from './web/serve.ts';
import { World } from './world.ts';

const TEAM = { id: 'T0GIGDESK', name: 'Bright Agency', domain: 'bright-agency' };
const BOT = { userId: 'U0GIGBOT', botId: 'B0GIGBOT', appId: 'A0GIGDESK' };

function settingsOf(options: SlackOptions): Settings {
  return {
    botToken: options.botToken ?? 'xoxb-simulated-bot',
    appToken: options.appToken ?? 'xapp-simulated-app',
    signingSecret: options.signingSecret ?? 'simulated-signing-secret',
    scopes: ALL_SCOPES,
    rateLimits: options.rateLimits ?? 'off',
    historyLimit: 'usual',
    optionalFields: 'sent',
    refusedToken: undefined,
    refusedSockets: undefined,
    unfurlDomains: options.unfurlDomains,
    dateAhead: 0,
  };
}

function worldOf({ world }: Site): SlackWorld {
  const { userId } = world.bot;
  return {
    team: world.team,
    bot: world.bot,
    addUser: (user) => world.addUser(user),
    addChannel: (channel) => world.addChannel(channel),
    addUserGroup: (group) => world.addUserGroup(group),
    user: (name) => world.user(name),
    channel: (name) => world.channel(name),
    users: () => world.users(),
    channels: () => world.channels(),
    userGroups: () => world.groups(),
    archive: (channel) => world.change(channel, { archived: true }),
    unarchive: (channel) => world.change(channel, { archived: false }),
    rename: (channel, name) => world.change(channel, { name }),
    invite: (channel, user) => world.join(channel, user),
    remove: (channel, user) => world.leave(channel, user),
    inviteBot: (channel) => world.join(channel, userId),
    removeBot: (channel) => world.leave(channel, userId),
  };
}

function settingsDesk({ settings }: Site): SlackSettings {
  return {
    grantScopes: (scopes) => {
      settings.scopes = scopes === 'all' ? ALL_SCOPES : scopes;
    },
    setRateLimits: (mode) => {
      settings.rateLimits = mode;
    },
    setHistoryLimit: (mode) => {
      settings.historyLimit = mode;
    },
    setOptionalFields: (mode) => {
      settings.optionalFields = mode;
    },
    refuseToken: (error) => {
      settings.refusedToken = error;
    },
    setDateAhead: (ahead) => {
      settings.dateAhead = ahead;
    },
  };
}

function connectionsOf(site: Site, sockets: SocketHub, dispatcher: Dispatcher): SlackConnections {
  return {
    attachHttp: (url) => dispatcher.attach(url),
    detachHttp: () => dispatcher.attach(undefined),
    forge: (forgery) => dispatcher.forge(forgery),
    get sockets() {
      return sockets.size;
    },
    refreshSockets: (count = Number.POSITIVE_INFINITY) => sockets.refresh(count),
    cutSockets: () => sockets.cut(),
    refuseSockets: (error) => {
      site.settings.refusedSockets = error;
    },
    sent: () => dispatcher.log.all(),
    sendAgain: ({ type, payload, retryNum }) =>
      dispatcher.send({
        type: type === 'options' ? 'interactive' : type,
        payload,
        retryNum: retryNum + 1,
        retryReason: 'timeout',
      }),
  };
}

function peopleOf(desk: Desk, events: EventMill): SlackPeople {
  const { site } = desk;
  return {
    command: (given) => command(desk, given),
    press: (given) => press(desk, given),
    choose: (given) => choose(desk, given),
    suggest: (given) => suggest(desk, given),
    uploadFile: ({ user, name, bytes }) =>
      site.files.add({ user: site.world.user(user).id, at: site.clock.now(), name, bytes }),
    submitView: (given) => submitView(desk, given),
    closeView: (given) => closeView(desk, given),
    messageShortcut: (given) => messageShortcut(desk, given),
    globalShortcut: (given) => globalShortcut(desk, given),
    say: (given) => say(site, given),
    linkShared: (given) => linkShared(site, events, given),
    event: (type, fields = {}, options = {}) => events.send(type, fields, options.eventId),
    mention: (given) => mention(site, events, given),
    joinChannel: (given) => joinChannel(site, events, given),
    openHome: (given) => openHome(site, events, given),
  };
}

/** Two objects as one; spreading would freeze the getters. */
function merge<A extends object, B extends object>(a: A, b: B): A & B {
  return Object.defineProperties(a, Object.getOwnPropertyDescriptors(b)) as A & B;
}

/** Starts a simulated Slack; resolves when it listens. */
export async function startSlack(options: SlackOptions): Promise<SimulatedSlack> {
  const { clock, random, peopleClock = clock } = options;
  const ids = new Identifiers(clock, random);
  const journal = new Journal();
  const bot = { ...BOT, name: options.botName ?? 'gigdesk' };
  const sockets = new SocketHub(ids, journal, bot.appId);
  let server: RunningHttpServer | undefined;
  const origin = () => server?.origin ?? '';
  const site: Site = {
    clock,
    peopleClock,
    settings: settingsOf(options),
    ids,
    journal,
    world: new World({ ...TEAM, ...options.team }, bot, ids),
    messages: new MessageStore(ids, journal),
    views: new ViewStore(ids, journal),
    triggers: new TriggerStore(peopleClock, ids),
    files: new FileStore(ids),
    responseUrls: new ResponseUrls(peopleClock, ids),
    faults: new FaultDesk(clock),
    rateLimits: new RateLimits(clock),
    origin,
    socketUrl: () => `${origin().replace(/^http/, 'ws')}${sockets.issueTicket()}`,
  };
  const { host, port } = options;
  const where = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
  const date = () => dateToTell(clock, site.settings.dateAhead);
  server = await startHttpServer((exchange) => serveApp(exchange, site), { ...where, date });
  sockets.listenOn(server.server);
  const sender = new RequestSender(site.settings.signingSecret, options.signingClock ?? machineClock);
  const dispatcher = new Dispatcher(site, sockets, sender);
  const events = new EventMill(site, dispatcher);
  const desk: Desk = { site, dispatcher, offered: new Map() };
  const { botToken, appToken, signingSecret } = site.settings;
  const reset = () => resetSite(desk, events);
  const close = async () => {
    events.clear();
    site.faults.clear();
    sockets.close();
    await sender.close();
    await server?.close();
  };
  const faults: SlackFaults = {
    fault: (method, effect, times = 1) => site.faults.order(method, effect, times),
  };
  const base = { apiUrl: `${origin()}/api/`, botToken, appToken, signingSecret, reset, close, ...faults };
  const stage = merge(merge(base, worldOf(site)), merge(settingsDesk(site), screensOf(site)));
  return merge(stage, merge(connectionsOf(site, sockets, dispatcher), peopleOf(desk, events)));
}

function resetSite({ site, dispatcher, offered }: Desk, events: EventMill): void {
  events.clear();
  offered.clear();
  dispatcher.log.clear();
  dispatcher.forge(undefined);
  const { world, messages, views, triggers, files, responseUrls, faults, rateLimits, journal } = site;
  for (const store of [world, messages, views, triggers, files, responseUrls, faults, rateLimits, journal])
    store.clear();
  Object.assign(site.settings, { scopes: ALL_SCOPES, refusedToken: undefined, refusedSockets: undefined });
}
