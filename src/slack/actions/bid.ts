/** Every press that has to do with bidding on a project. */
import type { ActionRoute } from '../routes.ts';
import { bidAgain } from './bid-again.ts';
import { bidOpen } from './bid-open.ts';
import { bidPresses } from './bid-press.ts';

export const bidActions: readonly ActionRoute[] = [bidOpen, ...bidPresses, ...bidAgain];
