/** Every press on a Home. */
import { homeChannelActions } from './home-channel.ts';
import { homeWorkActions } from './home-work.ts';

export const homeActions = [...homeWorkActions, ...homeChannelActions];
