/** Which handlers serve a workspace: the port between the connection to Slack and the open workspaces. */
import type { HintIntake } from '../hints/hints.ts';
import type { TeamId } from '../ids.ts';
import type { BotIdentity } from './core/clients.ts';
import type { SlackDispatcher } from './core/slack-dispatcher.ts';

/** A workspace that is open in this process. */
export interface ServedTeam {
  readonly kind: 'here';
  readonly identity: BotIdentity;
  readonly dispatcher: SlackDispatcher;
  readonly hints: HintIntake;
}

export type TeamPlace =
  | ServedTeam
  /** Another replica serves it, which is reached at `url` (no slash at the end). */
  | { readonly kind: 'there'; readonly url: string }
  /** It's installed, but no replica serves it now, or its owner isn't known without asking. */
  | { readonly kind: 'moving' }
  /** It isn't installed. */
  | { readonly kind: 'nowhere' };

export interface TeamHandlers {
  /** From memory. @param team undefined: the request names no workspace that we can serve */
  find(team: TeamId | undefined): TeamPlace;
  /**
   * Looks afresh, and waits up to `withinMs` for an owner; then the answer is `moving`. Never throws.
   * @param except the address of a replica that has just turned out not to serve it
   */
  waitForOwner(team: TeamId, withinMs: number, except?: string): Promise<TeamPlace>;
  /**
   * Looks afresh once, for requests that anyone can send: costs nothing for a team that isn't installed.
   * Resolves when its query has ended, which may take seconds. Never throws.
   * @param except as above
   */
  lookUp(team: TeamId, except?: string): Promise<TeamPlace>;
  /**
   * The app was removed from the workspace. Missing: there is nothing to do then.
   * @throws Error: Slack says it again later
   */
  readonly onRemoved?: (team: TeamId) => Promise<void>;
  /** Starts no more handlers and waits for running ones. @returns how many were left at the deadline */
  stop(deadlineMs: number): Promise<number>;
}

/** The handlers of a single workspace. They get every request, and refuse those of other workspaces. */
export function serveSingleTeam(served: Omit<ServedTeam, 'kind'>): TeamHandlers {
  const here: ServedTeam = { kind: 'here', ...served };
  return {
    find: () => here,
    waitForOwner: () => Promise.resolve(here),
    lookUp: () => Promise.resolve(here),
    stop: (deadlineMs) => served.dispatcher.stop(deadlineMs),
  };
}
