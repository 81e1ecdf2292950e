/**
 * Uploaded files. The app uploads in three steps: request a URL, send the bytes, complete and share. A
 * person's upload is complete at once.
 */
import type { Instant } from '../../clock.ts';
import type { SlackIdGenerator } from './identifiers.ts';
import type { UploadedFile } from './objects.ts';

interface Pending {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  readonly altText: string | undefined;
  bytes: Buffer | undefined;
}

export class FileStore {
  readonly #ids: SlackIdGenerator;
  readonly #pending = new Map<string, Pending>();
  #files: UploadedFile[] = [];

  constructor(ids: SlackIdGenerator) {
    this.#ids = ids;
  }

  /** The new file's ID, which is also part of the upload URL. */
  startUpload(name: string, length: number, altText: string | undefined): string {
    const id = this.#ids.nextId('F');
    this.#pending.set(id, { id, name, length, altText, bytes: undefined });
    return id;
  }

  /** False when no upload has this ID, or the number of bytes is wrong. */
  receiveBytes(id: string, bytes: Buffer): boolean {
    const pending = this.#pending.get(id);
    if (!pending || bytes.length !== pending.length) return false;
    pending.bytes = bytes;
    return true;
  }

  /** Completes the file; undefined when its bytes are missing. */
  finishUpload(
    id: string,
    shared: Pick<UploadedFile, 'user' | 'at' | 'channel' | 'threadTs' | 'initialComment'> & {
      title: string | undefined;
    },
  ): UploadedFile | undefined {
    const pending = this.#pending.get(id);
    if (!pending?.bytes) return undefined;
    this.#pending.delete(id);
    const { name, altText, bytes } = pending;
    const title = shared.title ?? name;
    const file = { ...shared, id, name, title, altText, bytes, complete: true, messageTs: undefined };
    this.#files.push(file);
    return file;
  }

  /** A person's file for a file input; it is in no channel. */
  addPersonFile(given: { user: string; at: Instant; name: string; bytes: Buffer }): UploadedFile {
    const { name } = given;
    const nowhere = {
      channel: undefined,
      messageTs: undefined,
      threadTs: undefined,
      initialComment: undefined,
    };
    const own = { id: this.#ids.nextId('F'), title: name, altText: undefined, complete: true };
    const file = { ...given, ...own, ...nowhere };
    this.#files.push(file);
    return file;
  }

  attachToMessage(id: string, messageTs: string): void {
    this.#files = this.#files.map((file) => (file.id === id ? { ...file, messageTs } : file));
  }

  find(id: string): UploadedFile | undefined {
    return this.#files.find((file) => file.id === id);
  }

  all(): readonly UploadedFile[] {
    return this.#files;
  }

  clear(): void {
    this.#pending.clear();
    this.#files = [];
  }
}
