/** Reads the values of a view's inputs, character for character. Pure. */
import { SECOND } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { ViewElementState, ViewPayload } from './payloads.ts';
import type { PressedView, ViewInputValue, ViewValues } from './routes.ts';

/** @returns undefined for an empty input. */
function fieldValue(element: ViewElementState): ViewInputValue | undefined {
  const { value, selected_option: option, selected_options: options, selected_date_time: seconds } = element;
  if (value) return { text: value };
  if (option) return { option: option.value };
  if (options && options.length > 0) return { options: options.map((it) => it.value) };
  if (element.selected_time) return { time: element.selected_time };
  const users = usersOf(element);
  if (users.length > 0) return { users };
  return typeof seconds === 'number' ? { at: seconds * SECOND } : undefined;
}

function usersOf({ selected_user: one, selected_users: several }: ViewElementState): readonly UserId[] {
  return several ?? (one ? [one] : []);
}

/** By `block_id`; a map, since block IDs come from outside and could be any word. */
function readValues(view: ViewPayload): ViewValues {
  const values = new Map<string, ViewInputValue>();
  for (const [blockId, elements] of Object.entries(view.state?.values ?? {})) {
    const [element] = Object.values(elements);
    const value = element && fieldValue(element);
    if (value) values.set(blockId, value);
  }
  return values;
}

export function readPressedView(view: ViewPayload): PressedView {
  return {
    id: view.id,
    rootId: view.root_view_id || view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    privateMetadata: view.private_metadata,
    values: readValues(view),
  };
}
