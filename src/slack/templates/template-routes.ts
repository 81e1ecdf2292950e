/** All actions and modals of the template builder. */
import type { ActionRoute, ViewRoute } from '../core/routes.ts';
import { templateAnswerView } from './template-answer-window.ts';
import { templateAnswerActions } from './template-answers.ts';
import { templateBuilderActions } from './template-builder-actions.ts';
import { templateView } from './template-submit.ts';

export const templateActions: readonly ActionRoute[] = [...templateBuilderActions, ...templateAnswerActions];

export const templateViews: readonly ViewRoute[] = [templateView, templateAnswerView];
