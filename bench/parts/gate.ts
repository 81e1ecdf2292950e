import type { Measure } from '../part.ts';

export const measure: Measure = async () => [];
