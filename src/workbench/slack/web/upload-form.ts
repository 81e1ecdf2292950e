/** The bytes of a file that was posted as a multipart form or as the plain body. */

/** The first part with a file name; the whole body if it isn't a form. */
export function extractUploadedFile(contentType: string, body: Buffer): Buffer {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  const mark = Buffer.from(`--${boundary}`);
  let start = body.indexOf(mark);
  while (start >= 0) {
    const next = body.indexOf(mark, start + mark.length);
    if (next < 0) break;
    const part = body.subarray(start + mark.length + 2, next - 2);
    const headEnd = part.indexOf('\r\n\r\n');
    if (headEnd >= 0 && /filename=/i.test(part.subarray(0, headEnd).toString('latin1')))
      return Buffer.from(part.subarray(headEnd + 4));
    start = next;
  }
  return Buffer.alloc(0);
}
