/** LimitPodHardAntiAffinityTopology: pods keep others away from their node at most, not from a whole zone. */
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

export function defineLimitPodHardAntiAffinityTopology({ rename }: Naming): AdmissionPlugin {
  const host = rename('platform.io/hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    validate(attributes) {
      const antiAffinity = objectAt(objectAt(objectAt(attributes.object, 'spec'), 'affinity'), 'podAntiAffinity');
      const required = objectsAt(antiAffinity, 'requiredDuringSchedulingIgnoredDuringExecution');
      const wider = required.map((term) => stringAt(term, 'topologyKey')).find((key) => key !== host);
      if (wider === undefined) return undefined;
      const said = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider}`;
      return refuse(attributes, `${said} but only key ${host} is allowed`);
    },
  };
}
