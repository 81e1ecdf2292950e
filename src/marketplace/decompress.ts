/** Undoes the compression of a response: Gigdesk asks for none, but proxies compress anyway. */
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { MAX_RESPONSE_BYTES } from './http.ts';

/** What arrived of a body that breaks off is read, too. */
const zlib = { maxOutputLength: MAX_RESPONSE_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { maxOutputLength: MAX_RESPONSE_BYTES, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, zlib),
  'x-gzip': (body) => gunzipSync(body, zlib),
  deflate: (body) => inflateSync(body, zlib),
  br: (body) => brotliDecompressSync(body, brotli),
  identity: (body) => body,
};

/**
 * @param encoding the Content-Encoding header
 * @returns undefined for another encoding, a damaged body, or one that would be larger than any response
 */
export function decompress(body: Buffer, encoding: string | string[] | undefined): Buffer | undefined {
  const name =
    String(encoding ?? '')
      .trim()
      .toLowerCase() || 'identity';
  try {
    return Object.hasOwn(DECODERS, name) ? DECODERS[name]?.(body) : undefined;
  } catch {
    return undefined;
  }
}
