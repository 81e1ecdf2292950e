/** All actions on Home tabs. */
import { homeChannelActions } from './home-channel-actions.ts';
import { homeWorkActions } from './home-work-actions.ts';

export const homeActions = [...homeWorkActions, ...homeChannelActions];
