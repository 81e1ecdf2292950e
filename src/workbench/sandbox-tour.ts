/** The sandbox's intro: a few minutes that have already passed, so that there is something to see. */
import { type Clock, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import { addRandomInvitation, SANDBOX_PROFILES } from './sandbox-agency.ts';
import { SANDBOX_FILTERS } from './sandbox-projects.ts';
import { SANDBOX_ADMIN, STARTUP_COMMANDS } from './sandbox-seed.ts';
import type { Sandbox } from './sandbox-start.ts';
import { advanceRandomProposal } from './sandbox-traffic.ts';

/** After this, every feed has been read once, so everything later counts as new. */
const FIRST_READINGS_MS = 30 * SECOND;
/** The app polls invitations and outcomes every two minutes. */
const NEXT_READINGS_MS = 2.5 * MINUTE;
const OUTCOMES = 3;

/** Resolves after a few seconds. The last message is a good project's card. */
export async function playSandboxIntro(
  {
    slack,
    marketplace,
    projects,
    advanceTime,
  }: Pick<Sandbox, 'slack' | 'marketplace' | 'projects' | 'advanceTime'>,
  clock: Clock,
  random: RandomSource,
): Promise<void> {
  for (const command of STARTUP_COMMANDS) await slack.runSlashCommand({ user: SANDBOX_ADMIN, ...command });
  await advanceTime(FIRST_READINGS_MS);
  addRandomInvitation(marketplace, random, clock.now(), SANDBOX_PROFILES[0]);
  for (let outcome = 0; outcome < OUTCOMES; outcome++) advanceRandomProposal(marketplace, clock, random);
  // One card for each of the other channels.
  for (const { id, finds } of SANDBOX_FILTERS)
    if (id === 102 || id === 104)
      projects.publish({ wanted: (it) => finds(it) && it.client.totalSpent > 5_000 });
  await advanceTime(NEXT_READINGS_MS);
  projects.publish({
    wanted: ({ client, budget }) =>
      client.totalSpent >= 10_000 &&
      client.rating > 4.5 &&
      client.hireRate > 0.5 &&
      budget.fixedAmount >= 2_000,
  });
  await advanceTime(MINUTE);
}
