/** Uploads a file through the Web API, without sharing it. Source: docs/slack-limits.md, Files. */
import type { FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SECOND } from '../../clock.ts';
import { networkError, parseSlackResponse, SlackCallError } from './errors.ts';

const UPLOAD_MS = 30 * SECOND;

const Place = z.object({ upload_url: z.string(), file_id: z.string().min(1) });

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Media type. */
  readonly type: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** The upload URL comes from outside and receives our bytes: allow only TLS, or this machine itself. */
function mayUploadTo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** The upload URL grants write access, so neither it nor the network's message goes into an error. */
async function sendBytes(
  fetch: FetchFunction,
  address: string,
  { bytes, name, type }: UploadedFile,
): Promise<void> {
  const body = new FormData();
  body.append('filename', new Blob([Uint8Array.from(bytes)], { type }), name);
  let answer: Awaited<ReturnType<FetchFunction>>;
  try {
    answer = await fetch(address, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
  } catch (thrown) {
    throw networkError(thrown);
  }
  // Nobody sees the bytes before they are shared, so any failed upload is safe to repeat.
  if (answer.status !== 200) throw new SlackCallError(`http_${answer.status}`, 'refused');
}

/**
 * Nobody sees the file before it is shared.
 * @param client without retries
 * @param fetch the app's fetch, for the bytes only: no token goes with them
 * @returns the file's ID
 */
export async function uploadFile(
  client: WebClient,
  fetch: FetchFunction,
  file: UploadedFile,
): Promise<string> {
  const request = client.files.getUploadURLExternal({ filename: file.name, length: file.bytes.byteLength });
  const place = await parseSlackResponse(Place, request);
  if (!mayUploadTo(place.upload_url)) throw new SlackCallError('upload_address', 'refused');
  await sendBytes(fetch, place.upload_url, file);
  return place.file_id;
}
