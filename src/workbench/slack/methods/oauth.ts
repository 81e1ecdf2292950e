/** `oauth.v2.access`: a bot token for a code. */
import { SlackApiError } from '../web/slack-api-error.ts';
import type { WebApiMethods } from './method.ts';

export const oauthMethods: WebApiMethods = {
  'oauth.v2.access': {
    withoutToken: true,
    run: (args, { settings, installCodes }) => {
      if (args.text('client_id') !== settings.clientId) throw new SlackApiError('invalid_client_id');
      if (args.text('client_secret') !== settings.clientSecret) throw new SlackApiError('bad_client_secret');
      const grant = installCodes.redeem(args.text('code') ?? '', args.text('redirect_uri'));
      if (typeof grant === 'string') throw new SlackApiError(grant);
      return grant;
    },
  },
};
