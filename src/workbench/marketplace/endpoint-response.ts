/** An endpoint's response, and the bodies that several endpoints share. */
export interface EndpointResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function okResponse(body: unknown): EndpointResponse {
  return { status: 200, body };
}

export function errorResponse(status: number, error: string): EndpointResponse {
  return { status, body: { error } };
}

export interface PageParams {
  readonly page: number;
  readonly limit: number;
}

/** The page's items and the page-based pagination object. A page past the end is empty. */
export function paginateByPageNumber<T>(all: readonly T[], { page, limit }: PageParams) {
  return {
    items: all.slice((page - 1) * limit, page * limit),
    pagination: { total: all.length, page, limit, pages: Math.ceil(all.length / limit) },
  };
}
