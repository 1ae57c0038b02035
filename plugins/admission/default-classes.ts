/** DefaultIngressClass and DefaultStorageClass: new ingresses and claims that name no class get the default one. */
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ApiObject,
  Failure,
  ObjectSink,
} from '../../runtime/contract/index.js';
import { objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';

export function defineDefaultIngressClass({ rename }: Naming): AdmissionPlugin {
  const group = rename('networking.platform.io');
  const mark = rename('ingressclass.platform.io/is-default-class');
  const classAnnotation = rename('platform.io/ingress.class');
  const defaults = new MarkedObjects((object) => saysTrue(object, mark));
  return {
    name: 'DefaultIngressClass',
    start: (host) => void host.follow(group, 'ingressclasses', defaults),
    handles: handlesObjects(group, 'ingresses', 'CREATE'),
    admit(attributes) {
      const { object } = attributes;
      if (!object) return undefined;
      // As the specification says, several defaults refuse every new ingress, even one that names its class.
      const refused = refuseSeveral(attributes, defaults, 'IngressClasses');
      if (refused) return refused;
      const spec = objectAt(object, 'spec') ?? {};
      if (typeof spec.ingressClassName === 'string') return undefined;
      if (Object.hasOwn(object.metadata.annotations ?? {}, classAnnotation)) return undefined;
      const [found] = defaults.all();
      if (!found?.metadata.name) return undefined;
      object.spec = { ...spec, ingressClassName: found.metadata.name };
      return undefined;
    },
  };
}

export function defineDefaultStorageClass({ rename }: Naming): AdmissionPlugin {
  const marks = ['storageclass.platform.io/is-default-class', 'storageclass.beta.platform.io/is-default-class'];
  const keys = marks.map(rename);
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const defaults = new MarkedObjects((object) => keys.some((key) => saysTrue(object, key)));
  return {
    name: 'DefaultStorageClass',
    start: (host) => void host.follow(rename('storage.platform.io'), 'storageclasses', defaults),
    handles: handlesObjects('', 'persistentvolumeclaims', 'CREATE'),
    admit(attributes) {
      const { object } = attributes;
      const spec = objectAt(object, 'spec');
      // An empty name means no class.
      if (!spec || typeof spec.storageClassName === 'string') return undefined;
      if (Object.hasOwn(object?.metadata.annotations ?? {}, classAnnotation)) return undefined;
      const refused = refuseSeveral(attributes, defaults, 'StorageClasses');
      const [found] = defaults.all();
      if (!refused && found?.metadata.name) spec.storageClassName = found.metadata.name;
      return refused;
    },
  };
}

/** Refuses an object while there are several defaults. */
function refuseSeveral(attributes: AdmissionAttributes, defaults: MarkedObjects, classes: string): Failure | undefined {
  const count = defaults.all().length;
  if (count < 2) return undefined;
  return refuse(attributes, `Internal error occurred: ${count} default ${classes} were found, only 1 allowed`);
}

/** Tracks the objects of a cluster-scoped resource with a mark. */
export class MarkedObjects implements ObjectSink {
  readonly #marked = new Map<string, ApiObject>();
  readonly #isMarked: (object: ApiObject) => boolean;

  constructor(isMarked: (object: ApiObject) => boolean) {
    this.#isMarked = isMarked;
  }

  changed(object: ApiObject): void {
    const name = object.metadata.name ?? '';
    if (this.#isMarked(object)) this.#marked.set(name, object);
    else this.#marked.delete(name);
  }

  removed(_namespace: string, name: string): void {
    this.#marked.delete(name);
  }

  reset(): void {
    this.#marked.clear();
  }

  all(): readonly ApiObject[] {
    return this.#marked.size === 0 ? [] : [...this.#marked.values()];
  }
}

/** Returns whether an annotation of an object is `true`. */
const saysTrue = ({ metadata: { annotations = {} } }: ApiObject, key: string): boolean =>
  Object.hasOwn(annotations, key) && annotations[key] === 'true';
