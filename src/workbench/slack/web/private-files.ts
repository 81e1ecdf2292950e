/** `url_private`: the bytes of a file, for a token that may read files. */
import { answerBytes, answerText, type Exchange } from '../../http.ts';
import { mimeTypeOf } from '../file-types.ts';
import type { UploadedFile } from '../objects.ts';
import type { Site } from '../site.ts';
import { bearerOf } from './bearer.ts';

/** The first part of its path. */
export const PRIVATE_FILES = 'files-pri';
export const SIGN_IN = 'signin';

export function privateAddress(site: Site, { id, name }: Pick<UploadedFile, 'id' | 'name'>): string {
  return `${site.origin()}/${PRIVATE_FILES}/${site.world.team.id}-${id}/${encodeURIComponent(name)}`;
}

/** Slack says no by leading to a page for people, with 200: whoever takes that for the file has not looked. */
export function servePrivateFile(exchange: Exchange, name: string, site: Site): void {
  const { response } = exchange;
  const { botToken, scopes } = site.settings;
  const mayRead = bearerOf(exchange) === botToken && scopes.includes('files:read');
  const file = site.files.find(name.slice(name.indexOf('-') + 1));
  if (!mayRead) answerText(response, 302, '', { location: `/${SIGN_IN}` });
  else if (file) answerBytes(response, 200, file.bytes, { 'content-type': mimeTypeOf(file.name) });
  else answerText(response, 404, 'File not found');
}

export function serveSignIn({ response }: Exchange): void {
  const page = '<!doctype html><title>Sign in</title><p>Sign in to see this file.';
  answerText(response, 200, page, { 'content-type': 'text/html; charset=utf-8' });
}
