/** Follows objects of served resources, decoded, for parts of the server that depend on them. */
import type { Follow, FollowedPart, ObjectSink, Subscription } from '../contract/index.js';
import { placeOf } from '../objects/lines.js';
import type { ServedResource } from '../resource/served-resource.js';
import { sharedObjectOf } from '../resource/shared-object.js';
import type { PipelineServices } from './services.js';

/**
 * Tells the sink of all objects of a resource before it returns, and of every change from then on, in order. A resource
 * that is not there has no objects. The name is that of the follower.
 */
export function followObjects(
  { follow, resource: find }: { readonly follow: Follow } & Pick<PipelineServices, 'resource'>,
  name: string,
  [group, plural]: readonly [group: string, plural: string],
  sink: ObjectSink,
): Subscription {
  const resource = find(group, plural);
  if (!resource) return { stop() {} };
  return follow(name, { parts: [partOf(resource, sink)], reset: () => sink.reset() });
}

/**
 * The objects of a resource as a part of what a follower hands over. To read an object that an earlier version has written
 * may take code that is not loaded, if another server over the same store has written it just now.
 */
export function partOf(resource: ServedResource, sink: Pick<ObjectSink, 'changed' | 'removed'>): FollowedPart {
  const prefix = resource.keyPrefix;
  return {
    prefix,
    put: (entry) => sink.changed(sharedObjectOf(resource, entry)),
    remove: (key) => sink.removed(...placeOf(prefix, key)),
    ready: ({ outdated }) => (outdated ? resource.ready() : undefined),
  };
}
