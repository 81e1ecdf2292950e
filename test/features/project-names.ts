/**
 * All names of a published project: the marketplace's ids, and the keys that the app reads from its links.
 */
import { redirectUrlProjectId } from '../../src/workbench/marketplace/make-project.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';

/** How a person may refer to a project. */
export function idsOf({ ciphertext, url, uid }: ProjectWithFilterIds): readonly string[] {
  return [ciphertext, ciphertext.slice(1), url, uid];
}

/** Finds projects in a list that may grow. */
export class ProjectNames {
  readonly #projects: readonly ProjectWithFilterIds[];
  readonly #byName = new Map<string, ProjectWithFilterIds>();
  #read = 0;

  constructor(projects: readonly ProjectWithFilterIds[]) {
    this.#projects = projects;
  }

  /** By its `~id` (with or without the tilde), its uid, or a key that the app reads from a link. */
  find(name: string): ProjectWithFilterIds | undefined {
    for (const project of this.#projects.slice(this.#read)) {
      const digits = project.ciphertext.slice(1);
      for (const id of [digits, project.uid, `~${digits}`])
        for (const name of [id, `uid:${id}`]) this.#byName.set(name, project);
      this.#byName.set(`pid:${redirectUrlProjectId(project)}`, project);
    }
    this.#read = this.#projects.length;
    return this.#byName.get(name);
  }

  /** By the first link in a view or message: a redirect, or one with the `~id`. */
  findLinked(words: string): ProjectWithFilterIds | undefined {
    const [, pid] = /[?&]pid=(\d+)/u.exec(words) ?? [];
    return this.find(pid === undefined ? (/~\d+/u.exec(words)?.[0] ?? '') : `pid:${pid}`);
  }
}
