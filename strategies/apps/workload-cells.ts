/** Cells that tables of workloads share: containers, their images, labels and selectors. */
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { type LabelRequirement, labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import type { PodTemplate } from '../core/pod-spec/pod-template.js';

type Template = PodTemplate | undefined;

/** The names of the containers of a template's pods, as in `web,proxy`. */
export const containersText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ name }) => name).join(',');

/** The images of the containers of a template's pods. */
export const imagesText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ image }) => image).join(',');

/** Labels as in `a=b,c=d`, sorted by key; `<none>` where there are none. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(labels).sort(([a], [b]) => byCodePoint(a, b));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** A selector as in `a=b,c in (d,e),!f`, sorted by label; `<none>` where it is absent or empty. */
export function selectorText(selector: Draft<LabelSelector> | undefined): string {
  const compiled = labelSelectorOf(selector);
  if (!compiled.ok) return '<error>';
  const requirements = [...compiled.value.requirements].sort((a, b) => byCodePoint(a.key, b.key));
  return requirements.map(requirementText).join(',') || '<none>';
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return `${key}=${values[0] ?? ''}`;
  }
}
