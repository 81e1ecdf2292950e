/** Which workspace's installation a raw payload of Slack is for, and whether it was removed. Pure. */
import { z } from 'zod';
import { TeamId } from '../../ids.ts';

const named = TeamId.nullish().catch(undefined);
const NO_INSTALLATION = { team_id: undefined, is_enterprise_install: false };
const orgWide = z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false);

/** What says for which installation Slack sends a payload. */
const AddressedPayload = z.object({
  /** Of events; with several, Slack means the first. */
  authorizations: z
    .array(z.object({ team_id: named, is_enterprise_install: orgWide }).catch(NO_INSTALLATION))
    .nullish()
    .catch(undefined),
  /** Of events and commands. */
  team_id: named,
  view: z.object({ app_installed_team_id: named }).nullish().catch(undefined),
  team: z.object({ id: named }).nullish().catch(undefined),
  is_enterprise_install: orgWide,
});

/**
 * The workspace whose installation a raw payload is for: in channels shared between companies, the workspace
 * of the person may be another one.
 * @returns undefined if the payload names none, or is for an organization-wide installation
 */
export function findInstallingTeam(body: unknown): TeamId | undefined {
  const { data } = AddressedPayload.safeParse(body);
  const [authorization] = data?.authorizations ?? [];
  if (!data || data.is_enterprise_install || authorization?.is_enterprise_install) return undefined;
  return (
    authorization?.team_id ?? data.team_id ?? data.view?.app_installed_team_id ?? data.team?.id ?? undefined
  );
}

const RemovalPayload = z.object({
  type: z.literal('event_callback'),
  event: z.union([
    z.object({ type: z.literal('app_uninstalled') }),
    // The tokens of people say nothing of the app's own.
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({ bot: z.array(z.unknown()).min(1) }),
    }),
  ]),
});

/** Both events come when someone removes the app, in any order. @param body a raw payload */
export function saysAppWasRemoved(body: unknown): boolean {
  return RemovalPayload.safeParse(body).success;
}
