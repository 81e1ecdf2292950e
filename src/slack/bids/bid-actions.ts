/** All actions for bidding on a project. */
import type { ActionRoute } from '../core/routes.ts';
import { bidFollowUpActions } from './bid-follow-up.ts';
import { bidFormActions } from './bid-form-actions.ts';
import { openBidAction } from './bid-open.ts';

export const bidActions: readonly ActionRoute[] = [openBidAction, ...bidFormActions, ...bidFollowUpActions];
