/** People, groups, the team and the bot itself. */

import { botJson, groupJson, userJson } from '../object-json.ts';
import type { JsonObject } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import { paginateByCursor } from './cursor-pages.ts';
import type { WebApiMethods } from './method.ts';

function authTest(_args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const { team, bot } = site.world;
  return {
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: bot.name,
    team_id: team.id,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  };
}

function usersInfo(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const user = site.world.findUser(args.requireText('user'));
  if (!user) throw new SlackApiError('user_not_found');
  return { user: userJson(user) };
}

function usersList(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const locals = site.world.users().filter((user) => !user.stranger);
  const { items, response_metadata } = paginateByCursor(locals, args, { usual: 1000, most: 1000 });
  return { members: items.map(userJson), cache_ts: 0, response_metadata };
}

function groupsList(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const groups = site.world.groups().map((group) => groupJson(group, site.world.team.id));
  const withUsers = args.flag('include_users');
  return { usergroups: groups.map(({ users, ...group }) => (withUsers ? { ...group, users } : group)) };
}

function groupUsers(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const id = args.requireText('usergroup');
  const group = site.world.groups().find((each) => each.id === id);
  if (!group) throw new SlackApiError('no_such_subteam');
  // The organization's own IDs, where it has others.
  return { users: group.users.map((user) => site.world.user(user).enterprise?.id ?? user) };
}

function teamInfo(_args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const { id, name, domain } = site.world.team;
  return { team: { id, name, domain, email_domain: '', icon: {} } };
}

function botsInfo(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const id = args.text('bot');
  if (id !== undefined && id !== site.world.bot.botId) throw new SlackApiError('bot_not_found');
  return { bot: botJson(site) };
}

export const peopleMethods: WebApiMethods = {
  'auth.test': { run: authTest },
  'users.info': { scope: 'users:read', run: usersInfo },
  'users.list': { scope: 'users:read', run: usersList },
  'usergroups.list': { scope: 'usergroups:read', run: groupsList },
  'usergroups.users.list': { scope: 'usergroups:read', run: groupUsers },
  'team.info': { scope: 'team:read', run: teamInfo },
  'bots.info': { scope: 'users:read', run: botsInfo },
};
