/** User actions in the page, located by visible text. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import type { Desk } from './desk.ts';

function exactly(words: string, more = ''): RegExp {
  return new RegExp(`^\\s*${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${more}\\s*$`, 'u');
}

/** By its text; the newest match. */
export function button(where: Page | Locator, words: string): Locator {
  return where
    .locator('button:visible, a.button:visible')
    .filter({ hasText: exactly(words) })
    .last();
}

/** A control on a message or in a window, by action id. */
export function acting(where: Page | Locator, actionId: string): Locator {
  return where.locator(`[data-action="${actionId}"]`).last();
}

/** Fields marked as invalid. */
export function wrongFields(where: Locator): Locator {
  return where.locator('[aria-invalid="true"]');
}

/** The message with this timestamp in Slack. */
export function theMessage(page: Page, { ts }: Pick<SlackMessage, 'ts'>): Locator {
  return page.locator(`#messages-panel .message[data-ts="${ts}"]`);
}

/** The channel's posts whose ids hold these words, such as `digest:`, oldest first. */
export function postsAbout({ slack }: Pick<Desk, 'slack'>, words: string): readonly SlackMessage[] {
  return slack
    .messages('new-projects')
    .filter(({ metadata }) => String(metadata?.event_payload['post']).includes(words));
}

/** The newest message of the open channel with this text. */
export function message(page: Page, words: string | RegExp): Locator {
  return page.locator('#messages-panel .message').filter({ hasText: words }).last();
}

/** The newest ephemeral answer. */
export function answer(page: Page, words: string | RegExp = ''): Locator {
  return page.locator('#messages-panel .message.private').filter({ hasText: words }).last();
}

export function modal(page: Page): Locator {
  return page.locator('dialog.modal[open]').last();
}

export function thread(page: Page): Locator {
  return page.locator('#thread');
}

export async function sees(where: Page | Locator, words: string | RegExp): Promise<void> {
  await where.locator(':visible').getByText(words).last().waitFor();
}

export async function type(page: Page, text: string): Promise<void> {
  const box = page.locator('#composer textarea');
  await box.fill(text);
  await page.locator('#composer .send').click();
}

export async function goTo(page: Page, channel: string): Promise<void> {
  await page.locator('#channels button').filter({ hasText: channel }).click();
  await page
    .locator('#channel-name')
    .filter({ hasText: exactly(channel) })
    .waitFor();
}

export async function actAs(page: Page, person: string): Promise<void> {
  await page.locator('.topbar button.person').click();
  await page
    .getByRole('menuitemradio')
    .locator('.menu-label')
    .filter({ hasText: exactly(person) })
    .click();
  await page
    .locator('.topbar .who-name')
    .filter({ hasText: exactly(person) })
    .waitFor();
}

/** Fills in the field below a label. */
export function field(where: Locator, label: string | RegExp): Locator {
  const named = typeof label === 'string' ? exactly(label, '(?: \\(optional\\))?') : label;
  return where.getByLabel(named).first();
}

export async function fill(where: Locator, label: string | RegExp, text: string): Promise<void> {
  await field(where, label).fill(text);
}

/** Chooses from a field's menu. */
export async function choose(where: Locator, label: string | RegExp, option: string | RegExp): Promise<void> {
  await field(where, label).click();
  await where.getByRole('option').filter({ hasText: option }).first().click();
}

type Passing = Pick<Desk, 'advanceTime'>;

/** Passes time, `step` seconds at a time, until a match appears. */
export async function passUntilThere<T>(
  { advanceTime }: Passing,
  find: () => T | undefined,
  { seconds = 180, step = 1 } = {},
): Promise<T> {
  for (let passed = 0; passed < seconds; passed += step) {
    const found = find();
    if (found !== undefined) return found;
    await advanceTime(step * SECOND);
  }
  return find() ?? expect.fail(`it is not there after ${seconds} s`);
}

/** Passes time, a second at a time, until it is visible. */
export async function passUntil({ advanceTime }: Passing, wanted: Locator, seconds = 180): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    if (await wanted.isVisible()) return;
    await advanceTime(SECOND);
  }
  // On a busy machine the page draws later than the time passes.
  await wanted.waitFor({ timeout: 20 * SECOND });
}
