/** Keeps the graph of nodes as pods, volumes and attachments are in the store. */
import type { Follow, Following } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { objectPart } from '../object-part.js';
import { claimedVolume } from './claimed-volume.js';
import { NodeGraph } from './graph.js';
import { placedPod } from './pod-references.js';

/** A graph that changes with the store, and whether it has kept up. */
export interface FollowedGraph {
  readonly graph: NodeGraph;
  readonly following: Following;
}

/** Follows the store into a graph, before whoever makes a change hears that it is done. */
export function followGraph(follow: Follow, { rename }: Naming): FollowedGraph {
  let graph = new NodeGraph();
  const mirror = rename('platform.io/config.mirror');
  const pods = objectPart('/pods/', {
    put: (namespace, name, pod) => graph.setPod(namespace, name, placedPod(pod, mirror)),
    remove: (namespace, name) => graph.setPod(namespace, name, undefined),
  });
  const volumes = objectPart('/persistentvolumes/', {
    put: (_, name, volume) => graph.setVolume(name, claimedVolume(volume)),
    remove: (_, name) => graph.setVolume(name, undefined),
  });
  const attachments = objectPart(`${rename('storage.platform.io')}/volumeattachments/`, {
    put: (_, name, attachment) => graph.setAttachment(name, stringAt(objectAt(attachment, 'spec'), 'nodeName')),
    remove: (_, name) => graph.setAttachment(name, undefined),
  });
  const reset = (): void => {
    graph = new NodeGraph();
  };
  const following = follow('Node', { parts: [pods, volumes, attachments], reset });
  return {
    get graph() {
      return graph;
    },
    following,
  };
}
