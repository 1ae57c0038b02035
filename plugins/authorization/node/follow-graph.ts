/** Keeps the graph of nodes as pods, volumes and attachments are in the store. */
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { type FollowedStore, followObjects } from '../follow-objects.js';
import { claimedVolume } from './claimed-volume.js';
import { NodeGraph } from './graph.js';
import { placedPod } from './pod-references.js';

/** A graph that changes with the store, before whoever made the change hears that it is done. */
export function followGraph(store: FollowedStore, { rename }: Naming): NodeGraph {
  const graph = new NodeGraph();
  const mirror = rename('platform.io/config.mirror');
  followObjects(store, '/pods/', {
    put: (namespace, name, pod) => graph.setPod(namespace, name, placedPod(pod, mirror)),
    remove: (namespace, name) => graph.setPod(namespace, name, undefined),
  });
  followObjects(store, '/persistentvolumes/', {
    put: (_, name, volume) => graph.setVolume(name, claimedVolume(volume)),
    remove: (_, name) => graph.setVolume(name, undefined),
  });
  followObjects(store, `${rename('storage.platform.io')}/volumeattachments/`, {
    put: (_, name, attachment) => graph.setAttachment(name, stringAt(objectAt(attachment, 'spec'), 'nodeName')),
    remove: (_, name) => graph.setAttachment(name, undefined),
  });
  return graph;
}
