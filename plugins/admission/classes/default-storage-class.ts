/** DefaultStorageClass: new claims that name no storage class get the default one. */
import type { AdmissionPlugin, ApiObject } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';
import { MarkedObjects, saysTrue } from './marked-objects.js';

export function defineDefaultStorageClass({ rename }: Naming): AdmissionPlugin {
  const marks = ['storageclass.platform.io/is-default-class', 'storageclass.beta.platform.io/is-default-class'];
  const keys = marks.map(rename);
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const defaults = new MarkedObjects((object) => keys.some((key) => saysTrue(object, key)));
  return {
    name: 'DefaultStorageClass',
    start: (host) => void host.follow(rename('storage.platform.io'), 'storageclasses', defaults),
    handles: handlesObjects('', 'persistentvolumeclaims', 'CREATE'),
    admit({ object }) {
      const spec = objectAt(object, 'spec');
      // The empty name asks for no class at all.
      if (!spec || typeof spec.storageClassName === 'string') return undefined;
      if (Object.hasOwn(object?.metadata.annotations ?? {}, classAnnotation)) return undefined;
      const [newest] = [...defaults.all()].sort(newestFirst);
      if (newest?.metadata.name) spec.storageClassName = newest.metadata.name;
      return undefined;
    },
  };
}

/** Those of the same second in the order of their names. */
function newestFirst(a: ApiObject, b: ApiObject): number {
  const age = compareTexts(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
  return age || compareTexts(a.metadata.name ?? '', b.metadata.name ?? '');
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
