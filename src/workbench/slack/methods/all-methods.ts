/** Every covered Web API method. */
import { SlackApiError } from '../web/slack-api-error.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import type { WebApiMethods } from './method.ts';
import { oauthMethods } from './oauth.ts';
import { peopleMethods } from './people.ts';
import { validateMethods } from './validate.ts';
import { viewMethods } from './views.ts';

export const WEB_API_METHODS: WebApiMethods = {
  ...chatMethods,
  ...conversationMethods,
  ...peopleMethods,
  ...viewMethods,
  ...fileMethods,
  ...validateMethods,
  ...oauthMethods,
  'apps.connections.open': {
    appToken: true,
    run: (_args, site) => {
      if (site.settings.refusedSockets !== undefined) throw new SlackApiError(site.settings.refusedSockets);
      return { url: site.socketUrl() };
    },
  },
};

/**
 * The scopes of the covered methods and requests, without `chat:write.public`: the app must be invited before
 * it posts.
 */
export const ALL_SCOPES: readonly string[] = [
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'links:read',
  'links:write',
  'reactions:write',
  'team:read',
  'usergroups:read',
  'users:read',
];
