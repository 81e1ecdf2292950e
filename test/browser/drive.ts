/** What people do in the page, found by what they see there. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';

function exactly(words: string, more = ''): RegExp {
  return new RegExp(`^\\s*${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${more}\\s*$`, 'u');
}

/** By the words on it; the newest where several have them. */
export function button(where: Page | Locator, words: string): Locator {
  return where
    .locator('button:visible, a.button:visible')
    .filter({ hasText: exactly(words) })
    .last();
}

/** What does something on a message or in a window, by its action's id. */
export function acting(where: Page | Locator, actionId: string): Locator {
  return where.locator(`[data-action="${actionId}"]`).last();
}

/** Fields that are marked as wrong. */
export function wrongFields(where: Locator): Locator {
  return where.locator('[aria-invalid="true"]');
}

/** Words of the product as the page shows them: without marks, and with signs for the names of emoji. */
export function asShown(mrkdwn: string): string {
  return mrkdwn.replaceAll(/:[a-z_]+: ?|[*_`]/gu, '').trim();
}

/** The message that Slack has as this one. */
export function theMessage(page: Page, { ts }: Pick<SlackMessage, 'ts'>): Locator {
  return page.locator(`#messages-panel .message[data-ts="${ts}"]`);
}

/** The newest message of the open channel that says so. */
export function message(page: Page, words: string | RegExp): Locator {
  return page.locator('#messages-panel .message').filter({ hasText: words }).last();
}

/** The newest answer that the person alone sees. */
export function answer(page: Page, words: string | RegExp = ''): Locator {
  return page.locator('#messages-panel .message.private').filter({ hasText: words }).last();
}

/** The topmost window. */
export function modal(page: Page): Locator {
  return page.locator('dialog.modal[open]').last();
}

export function thread(page: Page): Locator {
  return page.locator('#thread');
}

/** Waits until it stands there. */
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

/** What is filled in below a label. */
export function field(where: Locator, label: string | RegExp): Locator {
  const named = typeof label === 'string' ? exactly(label, '(?: \\(optional\\))?') : label;
  return where.getByLabel(named).first();
}

export async function fill(where: Locator, label: string | RegExp, text: string): Promise<void> {
  await field(where, label).fill(text);
}

/** In a menu that opens below its field. */
export async function choose(where: Locator, label: string | RegExp, option: string | RegExp): Promise<void> {
  await field(where, label).click();
  await where.getByRole('option').filter({ hasText: option }).first().click();
}

/** Lets time go by, a second at a time, until there is one. */
export async function passUntilThere<T>(
  desk: { advanceTime(ms: number): Promise<void> },
  find: () => T | undefined,
  seconds = 180,
): Promise<T> {
  for (let passed = 0; passed < seconds; passed++) {
    const found = find();
    if (found !== undefined) return found;
    await desk.advanceTime(SECOND);
  }
  return find() ?? expect.fail(`it is not there after ${seconds} s`);
}

/** Lets time go by, a second at a time, until it is in sight. */
export async function passUntil(
  desk: { advanceTime(ms: number): Promise<void> },
  wanted: Locator,
  seconds = 180,
): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    if (await wanted.isVisible()) return;
    await desk.advanceTime(SECOND);
  }
  await wanted.waitFor({ timeout: SECOND });
}
