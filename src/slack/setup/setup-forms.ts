/**
 * What a setup form shows and what its person typed so far, stored under their own ID: it survives a restart,
 * and nobody else can find it.
 */
import { z } from 'zod';
import { FilterId, OrganizationId, ProfileId } from '../../ids.ts';
import { ListedProject } from '../../marketplace/schema.ts';
import { ProfileFeedKind } from '../../profiles/profiles.ts';
import type { Transaction } from '../../storage/store.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';

const typed = z.string().max(3_000);

/** As typed or chosen, not checked yet. */
const FilterAnswers = z.object({
  /** The ID of the chosen filter, as text; empty: none. */
  chosen: typed,
  /** The typed ID; it counts if it isn't empty. */
  typedId: typed,
  rules: z.object({
    minBudget: typed,
    type: z.enum(['', 'fixed', 'hourly']),
    countries: typed,
    minRating: typed,
    verified: z.boolean(),
    without: typed,
    more: typed,
  }),
});
export type FilterAnswers = z.infer<typeof FilterAnswers>;

const DigestDays = z.enum(['off', 'weekdays', 'daily']);

/** What else the channel gets, as typed or chosen, not checked yet. */
const ReceiveInputs = z.object({
  /** Keys of the followed profile feeds that stay. */
  kept: z.array(typed),
  feeds: z.array(typed),
  profiles: z.array(typed),
  profileIds: typed,
  digest: DigestDays,
  digestTime: typed,
});
export type ReceiveInputs = z.infer<typeof ReceiveInputs>;

/** A profile feed of the channel; names are strangers' text. */
const FollowedFeed = z.object({
  kind: ProfileFeedKind,
  profile: ProfileId,
  profileName: z.string().optional(),
  organization: OrganizationId.optional(),
  organizationName: z.string().optional(),
});
export type FollowedFeed = z.infer<typeof FollowedFeed>;

const Preview = z.object({
  /** Safe mrkdwn. */
  rows: z.array(z.string()),
  /** No projects are known, and asking for some costs credits. */
  isPaid: z.literal(true).optional(),
});
export type Preview = z.infer<typeof Preview>;

const SetupForm = z.object({
  ...personalWindowShape,
  /** For which subscription the form opened; missing: a new one. */
  edited: z.object({ filter: FilterId, name: z.string().optional(), rules: z.string() }).optional(),
  /** The channel's digest when the form opened: only what differs is saved. */
  digest: DigestDays,
  /** `09:00` */
  digestTime: z.string(),
  /** The profile feeds that the form shows. */
  followed: z.array(FollowedFeed),
  answers: FilterAnswers,
  /** Missing: nothing was typed there yet. */
  receive: ReceiveInputs.optional(),
  /** Its first view was submitted, so another one may show now. */
  wasSubmitted: z.literal(true).optional(),
  preview: Preview.optional(),
  /** Projects that a preview paid for: another preview of the filter is free. */
  bought: z.object({ filter: FilterId, projects: z.array(ListedProject) }).optional(),
  /** Slack's error if Gigdesk can't post in the channel, once it's known. */
  unreachable: z.string().optional(),
});
export type SetupForm = z.infer<typeof SetupForm>;

export const setupForms = createPersonalWindows('setup-forms', SetupForm);

/** Changes the stored form. @returns the current form; undefined when it's gone */
export async function changeSetupForm(
  tx: Transaction,
  form: Pick<SetupForm, 'user' | 'id'>,
  change: Partial<Omit<SetupForm, keyof typeof personalWindowShape>>,
): Promise<SetupForm | undefined> {
  const { collection } = setupForms;
  const now = await tx.get(collection, [form.user, form.id]);
  if (!now) return undefined;
  const changed = { ...now, ...change };
  await tx.put(collection, changed);
  return changed;
}
