/** AlwaysPullImages: images are pulled each time, so that whoever uses one has to have the right to it. */
import type { AdmissionAttributes, AdmissionPlugin, JsonObject } from '../../../runtime/contract/index.js';
import { fieldErrorText, joinErrors, notSupported } from '../../../runtime/objects/field-error.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

const policy = 'Always';
const lists = ['initContainers', 'containers', 'ephemeralContainers'];

export function defineAlwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit(attributes) {
      if (!hasNewImage(attributes)) return undefined;
      const spec = objectAt(attributes.object, 'spec');
      for (const list of lists) {
        for (const container of objectsAt(spec, list)) container.imagePullPolicy = policy;
      }
      return undefined;
    },
    // Plugins that ran later may have changed the pod.
    validate(attributes) {
      if (!hasNewImage(attributes)) return undefined;
      const spec = objectAt(attributes.object, 'spec');
      const errors = lists.flatMap((list) =>
        objectsAt(spec, list).flatMap((container, i) => {
          const used = stringAt(container, 'imagePullPolicy');
          const path = `spec.${list}[${i}].imagePullPolicy`;
          return used === policy ? [] : [notSupported(path, used, [policy])];
        }),
      );
      return errors.length === 0 ? undefined : refuse(attributes, joinErrors(errors.map(fieldErrorText)));
    },
  };
}

/** Updates that bring no image may leave everything as it is: containers that were added are not pulled again. */
function hasNewImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation === 'CREATE') return true;
  const old = new Set(imagesOf(oldObject));
  return imagesOf(object).some((image) => !old.has(image));
}

const imagesOf = (pod: JsonObject | undefined): readonly string[] =>
  lists.flatMap((list) => objectsAt(objectAt(pod, 'spec'), list)).map((container) => stringAt(container, 'image'));
