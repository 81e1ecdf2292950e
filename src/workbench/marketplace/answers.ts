/** What an endpoint answers, and the bodies that several share. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function refuse(status: number, error: string): Answer {
  return { status, body: { error } };
}

export interface PageQuery {
  readonly page: number;
  readonly limit: number;
}

/** The page's items and the page-based pagination object. A page past the end is empty. */
export function pageOf<T>(all: readonly T[], { page, limit }: PageQuery) {
  return {
    items: all.slice((page - 1) * limit, page * limit),
    pagination: { total: all.length, page, limit, pages: Math.ceil(all.length / limit) },
  };
}
