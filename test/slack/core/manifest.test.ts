import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { actionRoutes, commandRoutes, eventHandlers, shortcutRoutes } from '../../../src/slack/all-routes.ts';
import { actionIds, SLASH_COMMAND, shortcutIds } from '../../../src/slack/kit/ids.ts';
import { optionalScopeLosses, slackScopeReasons } from '../../../src/slack-scopes.ts';

/** Slack's limits for an app's manifest. */
const Manifest = z.object({
  display_information: z.object({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().min(175).max(4_000),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/u),
  }),
  features: z.object({
    app_home: z.object({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.object({ display_name: z.literal('gigdesk'), always_online: z.boolean() }),
    slash_commands: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string(),
        should_escape: z.literal(true),
      }),
    ),
    shortcuts: z.array(
      z.object({
        name: z.string().max(24),
        type: z.literal('message'),
        callback_id: z.string(),
        description: z.string().max(150),
      }),
    ),
    unfurl_domains: z.array(z.string()).min(1).max(5),
  }),
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
  }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
    interactivity: z.object({ is_enabled: z.literal(true) }),
    org_deploy_enabled: z.literal(false),
    socket_mode_enabled: z.literal(true),
  }),
});

const manifest = Manifest.parse(
  parse(readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8')),
);

describe('the manifest and the table name the same', () => {
  it('command, whose hint names commands that there are', () => {
    expect(manifest.features.slash_commands.map((each) => each.command)).toEqual([SLASH_COMMAND]);
    const hinted = manifest.features.slash_commands[0]?.usage_hint
      .split('|')
      .map((each) => each.trim().split(' ')[0]);
    const words = commandRoutes.map((each) => each.word);
    for (const word of hinted ?? []) expect(words).toContain(word);
  });

  it('shortcuts', () => {
    const named = manifest.features.shortcuts.map((each) => each.callback_id);
    expect(named).toEqual(shortcutRoutes.map((each) => each.id));
    expect(named).toEqual(Object.values(shortcutIds));
  });

  it('events', () => {
    expect(manifest.settings.event_subscriptions.bot_events).toEqual([
      ...Object.keys(eventHandlers),
      'app_uninstalled',
      'tokens_revoked',
    ]);
  });

  it('scopes, each with a reason', () => {
    const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
    expect(bot).toEqual(Object.keys(slackScopeReasons));
    expect(optional).toEqual(Object.keys(optionalScopeLosses));
    expect(bot).toEqual(expect.arrayContaining(optional));
  });
});

describe('people who find Gigdesk read what it does', () => {
  const { description } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as { description: string };
  const topics = ['project', 'bid', 'invitation', 'proposal', 'template', 'digest', 'statistics', 'budget'];

  it.each([
    ['manifest.yml', manifest.display_information.long_description],
    ['package.json', description],
  ])('in %s', (_, text) => {
    for (const topic of topics) expect(text.toLowerCase()).toContain(topic);
  });

  it('and in a line below the name', () => {
    for (const topic of ['project', 'bid', 'proposal', 'budget'])
      expect(manifest.display_information.description.toLowerCase()).toContain(topic);
  });
});

describe('the table', () => {
  it('routes every id of a button, once', () => {
    expect(actionRoutes.map((each) => each.id).toSorted()).toEqual(Object.values(actionIds).toSorted());
  });

  it('names every command once', () => {
    expect(new Set(commandRoutes.map((each) => each.word)).size).toBe(commandRoutes.length);
  });
});
