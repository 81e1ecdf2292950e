/** Changes to the list of answers. Indexes count from 0; an unknown index changes nothing. Pure. */
import type { ScreeningAnswer, TemplateForm } from './form.ts';

export function addScreeningAnswer(form: TemplateForm, answer: ScreeningAnswer): TemplateForm {
  return { ...form, answers: [...form.answers, answer] };
}

export function replaceScreeningAnswer(
  form: TemplateForm,
  index: number,
  answer: ScreeningAnswer,
): TemplateForm {
  return { ...form, answers: form.answers.map((old, place) => (place === index ? answer : old)) };
}

export function removeScreeningAnswer(form: TemplateForm, index: number): TemplateForm {
  return { ...form, answers: form.answers.filter((_, place) => place !== index) };
}

/** Moves the answer at `from`, so that its index is then `to`. */
export function moveScreeningAnswer(form: TemplateForm, from: number, to: number): TemplateForm {
  const moved = form.answers[from];
  if (!moved || !(to in form.answers)) return form;
  return { ...form, answers: form.answers.toSpliced(from, 1).toSpliced(to, 0, moved) };
}
