/** Names the card of a followed project in a button. Pure. */
import { z } from 'zod';
import { ProjectKey } from '../../ids.ts';
import { ChannelValue, jsonValueCodec } from '../kit/button-values.ts';

export const followedCardCodec = jsonValueCodec(z.object({ channel: ChannelValue, project: ProjectKey }));
