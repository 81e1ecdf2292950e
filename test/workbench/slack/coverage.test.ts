import { describe, expect, it } from 'vitest';
import {
  COVERED_BLOCK_LIMITS,
  COVERED_BLOCK_RULES,
  COVERED_METHODS,
  COVERED_SLACK_ERRORS,
  COVERED_SLACK_FEATURES,
} from '../../../src/workbench/slack/coverage.ts';
import { WEB_API_METHODS } from '../../../src/workbench/slack/methods/all-methods.ts';
import { CALLS_PER_MINUTE_BY_METHOD } from '../../../src/workbench/slack/web/rate-limits.ts';
import { startStage } from './app.ts';
import { ERROR_EXERCISES } from './exercises/errors.ts';
import type { Exercise } from './exercises/exercise.ts';
import { FEATURE_EXERCISES } from './exercises/features.ts';
import { LIMIT_EXERCISES } from './exercises/limits.ts';
import { METHOD_EXERCISES } from './exercises/methods.ts';
import { RULE_EXERCISES } from './exercises/rules.ts';

describe.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, Exercise>>]>([
  ['method', COVERED_METHODS, METHOD_EXERCISES],
  ['error', COVERED_SLACK_ERRORS, ERROR_EXERCISES],
  ['feature', COVERED_SLACK_FEATURES, FEATURE_EXERCISES],
  ['limit', COVERED_BLOCK_LIMITS, LIMIT_EXERCISES],
  ['rule', COVERED_BLOCK_RULES, RULE_EXERCISES],
])('the simulated Slack covers the %s', (_kind, table, exercises) => {
  it.each(Object.entries(table))('%s: %s', async (name) => {
    const stage = await startStage();
    await exercises[name]?.(stage);
    expect(exercises[name]).toBeDefined();
    await stage.slack.close();
  });
});

it('has a row in the table for every method that it answers, and a limit of calls for each', () => {
  expect(Object.keys(COVERED_METHODS).sort()).toEqual(Object.keys(WEB_API_METHODS).sort());
  expect(Object.keys(CALLS_PER_MINUTE_BY_METHOD).sort()).toEqual(Object.keys(WEB_API_METHODS).sort());
});
