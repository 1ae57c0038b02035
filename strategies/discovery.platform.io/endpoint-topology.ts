/** Conversion of endpoints from versions that have a map of topology labels to the stored one, which has fields. */
import type { JsonObject, NamedConversion, Rename } from '../../runtime/contract/index.js';
import { isObject, objectAt } from '../../runtime/objects/guards.js';

const endpointsOf = ({ endpoints }: JsonObject): readonly JsonObject[] =>
  Array.isArray(endpoints) ? endpoints.filter(isObject) : [];

const zoneLabel = (rename: Rename): string => rename('topology.platform.io/zone');
const hostLabel = (rename: Rename): string => rename('platform.io/hostname');

/**
 * The zone moves. A host name stays in the map only where it differs from the node's name, which these versions have
 * as a field, too.
 */
export const endpointTopology: NamedConversion = {
  name: 'endpoint-topology',
  toStored: (object, rename) => {
    for (const endpoint of endpointsOf(object)) {
      const { topology } = endpoint;
      if (!isObject(topology)) continue;
      const [zone, host] = [zoneLabel(rename), hostLabel(rename)];
      if (topology[zone] !== undefined) {
        endpoint.zone = topology[zone];
        delete topology[zone];
      }
      if (topology[host] !== undefined && topology[host] === endpoint.nodeName) delete topology[host];
      if (Object.keys(topology).length === 0) delete endpoint.topology;
    }
  },
  fromStored: (object, rename) => {
    for (const endpoint of endpointsOf(object)) {
      const { zone, nodeName } = endpoint;
      if (zone === undefined && nodeName === undefined) continue;
      endpoint.topology ??= {};
      const topology = objectAt(endpoint, 'topology');
      if (topology === undefined) continue;
      if (zone !== undefined) {
        topology[zoneLabel(rename)] = zone;
        delete endpoint.zone;
      }
      if (nodeName !== undefined) topology[hostLabel(rename)] ??= nodeName;
    }
  },
};
