/**
 * Branded ids and amounts, so that the domain never mixes them up. Each is a zod schema and a type of the
 * same name: the schema parses outside data, the type separates the kinds.
 */
import { z } from 'zod';
import type { Instant, RandomSource } from './clock.ts';

/** Slack's workspace ID, for example `T0123ABCD`. */
export const TeamId = z.string().min(1).brand<'TeamId'>();
export type TeamId = z.infer<typeof TeamId>;

/** Undefined for what can't be Slack's ID of a workspace, such as a name or a typing error. */
export function parseSlackTeam(text: string | undefined): TeamId | undefined {
  return text !== undefined && /^T[A-Z0-9]+$/u.test(text) ? TeamId.parse(text) : undefined;
}

/** Slack's channel ID (`C…`, `G…` or `D…`). */
export const ChannelId = z.string().min(1).brand<'ChannelId'>();
export type ChannelId = z.infer<typeof ChannelId>;

/** Whether it is a direct message with Gigdesk, by its own ID or the user's. */
export function isDirectMessage(channel: ChannelId): boolean {
  return !/^[CG]/u.test(channel);
}

/** Slack's user ID (`U…` or `W…`). */
export const UserId = z.string().min(1).brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

/** Slack's message timestamp, `seconds.micros`: the message's ID within its channel. */
export const MessageTs = z.string().min(1).brand<'MessageTs'>();
export type MessageTs = z.infer<typeof MessageTs>;

const positive = z.number().int().positive();

/** A saved monitoring filter of the marketplace. */
export const FilterId = positive.brand<'FilterId'>();
export type FilterId = z.infer<typeof FilterId>;

/** One monitoring result (one run) of a filter. */
export const MonitoringResultId = positive.brand<'ResultId'>();
export type MonitoringResultId = z.infer<typeof MonitoringResultId>;

/** A connected marketplace profile. */
export const ProfileId = positive.brand<'ProfileId'>();
export type ProfileId = z.infer<typeof ProfileId>;

/** A connected marketplace organization. */
export const OrganizationId = positive.brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof OrganizationId>;

export const ProposalId = positive.brand<'ProposalId'>();
export type ProposalId = z.infer<typeof ProposalId>;

export const InvitationUid = z.string().min(1).max(300).brand<'InvitationUid'>();
export type InvitationUid = z.infer<typeof InvitationUid>;

export const TemplateId = positive.brand<'TemplateId'>();
export type TemplateId = z.infer<typeof TemplateId>;

/** An auto bidding setup. */
export const SetupId = positive.brand<'SetupId'>();
export type SetupId = z.infer<typeof SetupId>;

/** An auto bidding job. */
export const JobId = positive.brand<'JobId'>();
export type JobId = z.infer<typeof JobId>;

/** A Gigdesk bid on one project with one setup; made by `bidId`. */
export const BidId = z.string().min(1).max(200).brand<'BidId'>();
export type BidId = z.infer<typeof BidId>;

/** A form draft. Random, so that nobody can guess another person's draft. */
export const DraftId = z
  .string()
  .regex(/^[a-z0-9]{8,40}$/u)
  .brand<'DraftId'>();
export type DraftId = z.infer<typeof DraftId>;

/** A random id. @param length in characters; the default makes collisions practically impossible */
export function randomId(random: RandomSource, length = 26, signs = 'abcdefghijklmnopqrstuvwxyz0123456789') {
  const sign = (): string => signs.charAt(Math.floor(random() * signs.length));
  return Array.from({ length }, sign).join('');
}

/** An id of an event: its name, time and a random suffix. */
export function createTimestampedId(what: string, at: Instant, random: RandomSource): string {
  return `${what}:${at}:${Math.floor(random() * 2 ** 48).toString(36)}`;
}

/** Our key of a marketplace project; `parseProjectKey` makes it from a URL. */
export const ProjectKey = z.string().min(1).brand<'ProjectKey'>();
export type ProjectKey = z.infer<typeof ProjectKey>;

/** A whole, non-negative number of project credits. */
export const Credits = z.number().int().nonnegative().brand<'Credits'>();
export type Credits = z.infer<typeof Credits>;

/** A number as credits. @throws RangeError for a fraction or a negative number, which is always our bug. */
export function toCredits(amount: number): Credits {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`Not a valid amount of credits: ${amount}`);
  return amount as Credits;
}
