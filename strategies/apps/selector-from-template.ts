/** Workloads of versions in which the selector could be left out: it then selects the labels of the template. */
import type { NamedConversion } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { objectAt } from '../../runtime/objects/guards.js';

/** Fills in `spec.selector`, which the stored version must have. */
export const selectorFromTemplate: NamedConversion = {
  name: 'selector-from-template',
  toStored: (object) => {
    const spec = objectAt(object, 'spec');
    const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
    if (spec && labels && objectAt(spec, 'selector') === undefined) spec.selector = { matchLabels: clone(labels) };
  },
  fromStored: () => {},
};
