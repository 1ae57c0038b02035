/** PodTemplate: pods that somebody may make. */
import type { Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { objectsAt } from '../shared/reading.js';
import { canonicalizePodTemplate, podTemplateWarnings, validatePodTemplate } from './pod-spec/pod-template.js';

export function definePodTemplateStrategy(names: Naming): Strategy {
  return {
    kind: 'PodTemplate',
    canonicalize: (object) => canonicalizePodTemplate(objectAt(object, 'template')),
    validate: (object) => validatePodTemplate(objectAt(object, 'template'), 'template', names),
    warnings: (object) => podTemplateWarnings(objectAt(object, 'template'), 'template', names),
    cell(object, column) {
      const template = objectAt(object, 'template');
      const containers = objectsAt(objectAt(template, 'spec'), 'containers');
      if (column === 'Containers') return containers.map((container) => stringAt(container, 'name')).join(',');
      if (column === 'Images') return containers.map((container) => stringAt(container, 'image')).join(',');
      return column === 'Pod Labels' ? labelsText(objectAt(objectAt(template, 'metadata'), 'labels')) : undefined;
    },
  };
}

/** As in `app=web,tier=front`, in the order of the keys. */
function labelsText(labels: ReturnType<typeof objectAt>): string {
  const keys = Object.keys(labels ?? {}).sort();
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${stringAt(labels, key)}`).join(',');
}
