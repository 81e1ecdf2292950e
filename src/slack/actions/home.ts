/** All actions on Home tabs. */
import { homeChannelActions } from './home-channel.ts';
import { homeWorkActions } from './home-work.ts';

export const homeActions = [...homeWorkActions, ...homeChannelActions];
