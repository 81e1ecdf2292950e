/** Stores what a form with response times showed, so that two people only overwrite what each changed. */
import { z } from 'zod';
import { ResponsePlan } from '../../response/response.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';

const ResponseForm = z.object({ ...personalWindowShape, shown: ResponsePlan });
export type ResponseForm = z.infer<typeof ResponseForm>;

export const responseFormWindows = createPersonalWindows('response-forms', ResponseForm);
export const responseForms = responseFormWindows.collection;
