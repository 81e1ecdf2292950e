/** Reads query parameters and keeps the first problem. */
import type { EndpointRequest } from './endpoint-request.ts';
import type { MarketplaceState } from './marketplace-state.ts';

const INTEGER = /^-?\d{1,16}$/;

export interface IntegerBounds {
  readonly least?: number;
  readonly most?: number;
}

export interface QueryReader {
  /** Undefined if absent or invalid. */
  integer(name: string, bounds?: IntegerBounds): number | undefined;
  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined;
  text(name: string): string | undefined;
  /** A sentence, once there is a problem. */
  firstProblem(): string | undefined;
}

function rangeProblem(name: string, value: number, { least, most }: IntegerBounds): string | undefined {
  if (least !== undefined && most !== undefined && (value < least || value > most)) {
    return `${name} must be between ${least} and ${most}`;
  }
  if (least !== undefined && value < least) return `${name} must be at least ${least}`;
  return undefined;
}

export function createQueryReader(query: URLSearchParams): QueryReader {
  let first: string | undefined;
  const wrong = (sentence: string): undefined => {
    first ??= sentence;
    return undefined;
  };
  return {
    integer(name, bounds = {}) {
      const text = query.get(name);
      if (text === null) return undefined;
      if (!INTEGER.test(text)) return wrong(`${name} must be an integer`);
      const value = Number(text);
      const problem = rangeProblem(name, value, bounds);
      return problem === undefined ? value : wrong(problem);
    },
    oneOf(name, allowed) {
      const text = query.get(name);
      if (text === null) return undefined;
      const found = allowed.find((value) => value === text);
      return found ?? wrong(`${name} must be one of ${allowed.join(', ')}`);
    },
    text: (name) => query.get(name) ?? undefined,
    firstProblem: () => first,
  };
}

/** `page` and `limit` with their documented bounds and defaults. */
export function readPageParams(query: QueryReader) {
  return {
    page: query.integer('page', { least: 1 }) ?? 1,
    limit: query.integer('limit', { least: 10, most: 100 }) ?? 20,
  };
}

/** The error for any `limit`, in the mode `refuseLimit`. */
export function refusedLimitProblem(
  { modes }: MarketplaceState,
  { query }: EndpointRequest,
): string | undefined {
  if (!modes.refuseLimit || !query.has('limit')) return undefined;
  return modes.vagueRefusals ? 'Bad request' : 'Unknown parameter: limit';
}
