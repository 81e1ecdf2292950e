/** Assembles the simulated Slack and starts it on the loopback. */
import { machineClock } from '../../clock.ts';
import { type LocalHttpServer, skewedDateHeaderTime, startLocalHttpServer } from '../http.ts';
import { SlackActivityLog } from './activity-log.ts';
import { AppRequestDispatcher } from './delivery/dispatcher.ts';
import { EventSender } from './delivery/event-sender.ts';
import { SignedRequestSender } from './delivery/signed-requests.ts';
import { SocketHub } from './delivery/socket-hub.ts';
import { FileStore } from './file-store.ts';
import { SlackIdGenerator } from './identifiers.ts';
import { InstallCodeStore } from './install-codes.ts';
import { MessageStore } from './message-store.ts';
import { ALL_SCOPES } from './methods/all-methods.ts';
import {
  changeChannelId,
  convertChannel,
  joinChannel,
  mentionApp,
  messageAppAsUser,
  openAppHomeAsUser,
  postAsUser,
  postLinksAsUser,
} from './people/channel-actions.ts';
import { runGlobalShortcut, runMessageShortcut, runSlashCommand } from './people/commands.ts';
import { allowInstall, cancelInstall } from './people/install.ts';
import { chooseOption, pressElement } from './people/press.ts';
import { closeView, submitView } from './people/submit.ts';
import { requestSuggestions } from './people/suggest.ts';
import type { UserActionContext } from './people/user-action-context.ts';
import { ResponseUrlStore } from './response-urls.ts';
import { createSlackWorkspaceContents } from './screens.ts';
import type {
  SimulatedSlack,
  SlackConnectionControls,
  SlackFaultControls,
  SlackOptions,
  SlackSettings,
  SlackUserActions,
  SlackWorkspaceControls,
} from './simulated-slack.ts';
import type { SlackSimulatorContext, SlackSimulatorSettings } from './simulator-context.ts';
import { TriggerStore } from './trigger-store.ts';
import { ViewStore } from './view-store.ts';
import { SlackFaultQueue } from './web/fault-queue.ts';
import { WebApiRateLimiter } from './web/rate-limits.ts';
import { serveAppRequest } from './web/serve-request.ts';
import { WorkspaceStore } from './workspace-store.ts';

const TEAM = { id: 'T0GIGDESK', name: 'Bright Agency', domain: 'bright-agency' };
const BOT = { userId: 'U0GIGBOT', botId: 'B0GIGBOT', appId: 'A0GIGDESK' };

function settingsOf(options: SlackOptions): SlackSimulatorSettings {
  return {
    botToken: options.botToken ?? 'xoxb-simulated-bot',
    appToken: options.appToken ?? 'xapp-simulated-app',
    signingSecret: options.signingSecret ?? 'simulated-signing-secret',
    clientId: options.clientId ?? '100000000001.100000000002',
    clientSecret: options.clientSecret ?? 'simulated-client-secret',
    scopes: ALL_SCOPES,
    rateLimits: options.rateLimits ?? 'off',
    historyLimit: 'usual',
    refusedBlocks: { types: [], isNamed: true },
    optionalFields: 'sent',
    refusedToken: undefined,
    refusedSockets: undefined,
    unfurlDomains: options.unfurlDomains,
    dateAhead: 0,
  };
}

function worldOf(site: SlackSimulatorContext): SlackWorkspaceControls {
  const { world } = site;
  const { userId } = world.bot;
  return {
    team: world.team,
    bot: world.bot,
    addUser: (user) => world.addUser(user),
    addChannel: (channel) => world.addChannel(channel),
    addUserGroup: (group) => world.addUserGroup(group),
    removeUserGroup: (id) => world.removeUserGroup(id),
    user: (name) => world.user(name),
    channel: (name) => world.channel(name),
    users: () => world.users(),
    channels: () => world.channels(),
    userGroups: () => world.groups(),
    archive: (channel) => world.updateChannel(channel, { archived: true }),
    unarchive: (channel) => world.updateChannel(channel, { archived: false }),
    rename: (channel, name) => world.updateChannel(channel, { name }),
    changeChannelId: (channel, kind) => changeChannelId(site, channel, kind),
    invite: (channel, user) => world.addMember(channel, user),
    remove: (channel, user) => world.removeMember(channel, user),
    deactivate: (user) => world.deactivate(user),
    inviteBot: (channel) => world.addMember(channel, userId),
    removeBot: (channel) => world.removeMember(channel, userId),
  };
}

function settingsDesk({ settings }: SlackSimulatorContext): SlackSettings {
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
    refuseBlocks: (types, answer = 'named') => {
      settings.refusedBlocks = { types, isNamed: answer === 'named' };
    },
    refuseToken: (error) => {
      settings.refusedToken = error;
    },
    setDateAhead: (ahead) => {
      settings.dateAhead = ahead;
    },
  };
}

function connectionsOf(
  site: SlackSimulatorContext,
  sockets: SocketHub,
  dispatcher: AppRequestDispatcher,
): SlackConnectionControls {
  return {
    attachHttp: (url) => dispatcher.setHttpUrl(url),
    detachHttp: () => dispatcher.setHttpUrl(undefined),
    setForgery: (forgery) => dispatcher.setForgery(forgery),
    get sockets() {
      return sockets.size;
    },
    refreshSockets: (count = Number.POSITIVE_INFINITY) => sockets.requestReconnects(count),
    cutSockets: () => sockets.cutConnections(),
    refuseSockets: (error) => {
      site.settings.refusedSockets = error;
    },
    sentRequests: () => dispatcher.sentLog.all(),
    resendRequest: ({ type, payload, retryNum }) =>
      dispatcher.send({
        type: type === 'options' ? 'interactive' : type,
        payload,
        retryNum: retryNum + 1,
        retryReason: 'timeout',
      }),
  };
}

function peopleOf(desk: UserActionContext, events: EventSender): SlackUserActions {
  const { site } = desk;
  return {
    runSlashCommand: (given) => runSlashCommand(desk, given),
    press: (given) => pressElement(desk, given),
    chooseOption: (given) => chooseOption(desk, given),
    requestSuggestions: (given) => requestSuggestions(desk, given),
    uploadFile: ({ user, name, bytes }) =>
      site.files.addPersonFile({ user: site.world.user(user).id, at: site.clock.now(), name, bytes }),
    submitView: (given) => submitView(desk, given),
    closeView: (given) => closeView(desk, given),
    messageShortcut: (given) => runMessageShortcut(desk, given),
    globalShortcut: (given) => runGlobalShortcut(desk, given),
    postAsUser: (given) => postAsUser(site, given),
    postLinks: (given) => postLinksAsUser(site, events, given),
    sendEvent: (type, fields = {}, options = {}) => events.sendEvent(type, fields, options.eventId),
    mentionApp: (given) => mentionApp(site, events, given),
    messageApp: (given) => messageAppAsUser(site, events, given),
    convertChannel: (channel, kind) => convertChannel(site, events, channel, kind),
    joinChannel: (given) => joinChannel(site, events, given),
    openHome: (given) => openAppHomeAsUser(site, events, given),
    allowInstall: (given) => allowInstall(site, given),
    cancelInstall: (authorizeUrl) => cancelInstall(site, authorizeUrl),
  };
}

/** Merges two objects; spreading would freeze the getters' values. */
function merge<A extends object, B extends object>(a: A, b: B): A & B {
  return Object.defineProperties(a, Object.getOwnPropertyDescriptors(b)) as A & B;
}

/** Starts a simulated Slack; resolves when it listens. */
export async function startSimulatedSlack(options: SlackOptions): Promise<SimulatedSlack> {
  const { clock, random, peopleClock = clock } = options;
  const ids = new SlackIdGenerator(clock, random);
  const journal = new SlackActivityLog();
  const bot = { ...BOT, name: options.botName ?? 'gigdesk' };
  const sockets = new SocketHub(ids, journal, bot.appId);
  let server: LocalHttpServer | undefined;
  const origin = () => server?.origin ?? '';
  const site: SlackSimulatorContext = {
    clock,
    peopleClock,
    settings: settingsOf(options),
    ids,
    journal,
    world: new WorkspaceStore({ ...TEAM, ...options.team }, bot, ids),
    messages: new MessageStore(ids, journal),
    views: new ViewStore(ids, journal),
    triggers: new TriggerStore(peopleClock, ids),
    files: new FileStore(ids),
    responseUrls: new ResponseUrlStore(peopleClock, ids),
    installCodes: new InstallCodeStore(clock, ids),
    faults: new SlackFaultQueue(clock),
    rateLimits: new WebApiRateLimiter(clock),
    origin,
    socketUrl: () => `${origin().replace(/^http/, 'ws')}${sockets.issueSocketPath()}`,
  };
  const { host, port } = options;
  const where = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
  const date = () => skewedDateHeaderTime(clock, site.settings.dateAhead);
  server = await startLocalHttpServer((exchange) => serveAppRequest(exchange, site), { ...where, date });
  sockets.attachToServer(server.server);
  const sender = new SignedRequestSender(site.settings.signingSecret, options.signingClock ?? machineClock);
  const dispatcher = new AppRequestDispatcher(site, sockets, sender);
  const events = new EventSender(site, dispatcher);
  const desk: UserActionContext = { site, dispatcher, offered: new Map() };
  const { botToken, appToken, signingSecret, clientId, clientSecret } = site.settings;
  const reset = () => resetSite(desk, events);
  const close = async () => {
    events.cancelRepeats();
    site.faults.clear();
    sockets.close();
    await sender.close();
    await server?.close();
  };
  const faults: SlackFaultControls = {
    injectFault: (method, effect, times = 1) => site.faults.addFault(method, effect, times),
  };
  const secrets = { botToken, appToken, signingSecret, clientId, clientSecret };
  const base = { apiUrl: `${origin()}/api/`, ...secrets, reset, close, ...faults };
  const stage = merge(
    merge(base, worldOf(site)),
    merge(settingsDesk(site), createSlackWorkspaceContents(site)),
  );
  return merge(stage, merge(connectionsOf(site, sockets, dispatcher), peopleOf(desk, events)));
}

function resetSite({ site, dispatcher, offered }: UserActionContext, events: EventSender): void {
  events.cancelRepeats();
  offered.clear();
  dispatcher.sentLog.clear();
  dispatcher.setForgery(undefined);
  const { world, messages, views, triggers, files, responseUrls, faults, rateLimits, journal } = site;
  const stores = [world, messages, views, triggers, files, responseUrls, site.installCodes];
  for (const store of [...stores, faults, rateLimits, journal]) store.clear();
  Object.assign(site.settings, { scopes: ALL_SCOPES, refusedToken: undefined, refusedSockets: undefined });
  site.settings.refusedBlocks = { types: [], isNamed: true };
}
