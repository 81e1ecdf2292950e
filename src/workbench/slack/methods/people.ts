/** People, groups, the team and the bot itself. */
import type { Json } from '../objects.ts';
import type { Site } from '../site.ts';
import type { Arguments } from '../web/arguments.ts';
import { Refusal } from '../web/refusal.ts';
import { botJson, groupJson, userJson } from '../wire.ts';
import type { Methods } from './method.ts';
import { pageOf } from './pages.ts';

function authTest(_args: Arguments, site: Site): Json {
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

function usersInfo(args: Arguments, site: Site): Json {
  const user = site.world.findUser(args.need('user'));
  if (!user) throw new Refusal('user_not_found');
  return { user: userJson(user) };
}

function usersList(args: Arguments, site: Site): Json {
  const locals = site.world.users().filter((user) => !user.stranger);
  const { items, response_metadata } = pageOf(locals, args, { usual: 1000, most: 1000 });
  return { members: items.map(userJson), cache_ts: 0, response_metadata };
}

function groupsList(args: Arguments, site: Site): Json {
  const groups = site.world.groups().map((group) => groupJson(group, site.world.team.id));
  const withUsers = args.flag('include_users');
  return { usergroups: groups.map(({ users, ...group }) => (withUsers ? { ...group, users } : group)) };
}

function groupUsers(args: Arguments, site: Site): Json {
  const id = args.need('usergroup');
  const group = site.world.groups().find((each) => each.id === id);
  if (!group) throw new Refusal('no_such_subteam');
  return { users: group.users };
}

function teamInfo(_args: Arguments, site: Site): Json {
  const { id, name, domain } = site.world.team;
  return { team: { id, name, domain, email_domain: '', icon: {} } };
}

function botsInfo(args: Arguments, site: Site): Json {
  const id = args.text('bot');
  if (id !== undefined && id !== site.world.bot.botId) throw new Refusal('bot_not_found');
  return { bot: botJson(site) };
}

export const peopleMethods: Methods = {
  'auth.test': { run: authTest },
  'users.info': { scope: 'users:read', run: usersInfo },
  'users.list': { scope: 'users:read', run: usersList },
  'usergroups.list': { scope: 'usergroups:read', run: groupsList },
  'usergroups.users.list': { scope: 'usergroups:read', run: groupUsers },
  'team.info': { scope: 'team:read', run: teamInfo },
  'bots.info': { scope: 'users:read', run: botsInfo },
};
