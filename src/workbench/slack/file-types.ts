/** A file's type by its extension: Slack uses it, and so does a `file_input` that limits the types. Pure. */

const MIME_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** In lower case and without the dot; undefined if the name has none. */
export function fileExtension(name: string): string | undefined {
  return /\.([a-z0-9]+)$/iu.exec(name)?.[1]?.toLowerCase();
}

export function mimeTypeForFile(name: string): string {
  return MIME_TYPES[fileExtension(name) ?? ''] ?? 'application/octet-stream';
}
