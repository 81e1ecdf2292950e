/** `url_private`: a file's bytes, for a token with the scope to read files. */
import { answerBytes, answerText, type HttpExchange } from '../../http.ts';
import { mimeTypeForFile } from '../file-types.ts';
import type { UploadedFile } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { readBearerToken } from './bearer-token.ts';

/** The first segment of its path. */
export const PRIVATE_FILES_PATH = 'files-pri';
export const SIGN_IN_PATH = 'signin';

export function privateFileUrl(
  site: SlackSimulatorContext,
  { id, name }: Pick<UploadedFile, 'id' | 'name'>,
): string {
  return `${site.origin()}/${PRIVATE_FILES_PATH}/${site.world.team.id}-${id}/${encodeURIComponent(name)}`;
}

/**
 * Without access, Slack redirects to a sign-in page with status 200: callers must not take it for the file.
 */
export function servePrivateFile(exchange: HttpExchange, name: string, site: SlackSimulatorContext): void {
  const { response } = exchange;
  const { botToken, scopes } = site.settings;
  const mayRead = readBearerToken(exchange) === botToken && scopes.includes('files:read');
  const file = site.files.find(name.slice(name.indexOf('-') + 1));
  if (!mayRead) answerText(response, 302, '', { location: `/${SIGN_IN_PATH}` });
  else if (file) answerBytes(response, 200, file.bytes, { 'content-type': mimeTypeForFile(file.name) });
  else answerText(response, 404, 'File not found');
}

export function serveSignInPage({ response }: HttpExchange): void {
  const page = '<!doctype html><title>Sign in</title><p>Sign in to see this file.';
  answerText(response, 200, page, { 'content-type': 'text/html; charset=utf-8' });
}
