/** DefaultIngressClass: new ingresses that name no class get the default one. */
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';
import { MarkedObjects, saysTrue } from './marked-objects.js';

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
      const spec = objectAt(object, 'spec') ?? {};
      if (typeof spec.ingressClassName === 'string') return undefined;
      if (Object.hasOwn(object.metadata.annotations ?? {}, classAnnotation)) return undefined;
      const [found, ...more] = defaults.all();
      if (!found?.metadata.name) return undefined;
      if (more.length > 0) {
        const count = more.length + 1;
        const problem = `${count} default IngressClasses were found, only 1 allowed`;
        return refuse(attributes, `Internal error occurred: ${problem}`);
      }
      object.spec = { ...spec, ingressClassName: found.metadata.name };
      return undefined;
    },
  };
}
