import { expect } from 'vitest';
import type { z } from 'zod';
import type { MarketplaceOptions } from '../../../../src/workbench/marketplace/simulated-marketplace.ts';
import type { Drive, Reply } from '../drive.ts';

/** Opens a marketplace that the test closes. */
export type Open = (options?: Partial<MarketplaceOptions>) => Promise<Drive>;

/** The behavior promised by one row of the coverage table. */
export type Check = (open: Open) => Promise<void>;

/** The body of an answer with this status and exactly this shape. */
export function bodyOf<T extends z.ZodType>(reply: Reply, status: number, shape: T): z.output<T> {
  expect([reply.status, reply.text]).toEqual([status, expect.anything()]);
  return shape.parse(reply.body);
}
