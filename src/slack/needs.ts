/** The role that the team's own work asks for. */
import type { Role } from '../access/roles.ts';

/**
 * Claiming, skipping, muting and subscribing: the main job, and it spends no more than a channel's budget, which admins
 * set. So it is open to whoever may look.
 */
export const TEAM_WORK: Role = 'viewer';
