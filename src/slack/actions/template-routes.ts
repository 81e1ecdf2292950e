/** All presses and windows of the template builder. */
import type { ActionRoute, ViewRoute } from '../routes.ts';
import { templateAnswerView } from './template-answer-window.ts';
import { templateAnswerActions } from './template-answers.ts';
import { templatePresses } from './template-press.ts';
import { templateView } from './template-submit.ts';

export const templateActions: readonly ActionRoute[] = [...templatePresses, ...templateAnswerActions];

export const templateViews: readonly ViewRoute[] = [templateView, templateAnswerView];
