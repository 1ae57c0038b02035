/** Turns a request to a writing verb into a write for the pipeline. */
import { formatTime } from '../objects/time.js';
import { keyOf } from '../pipeline/served-resource.js';
import { sharedObjectOf } from '../pipeline/shared-object.js';
import type { Write } from '../pipeline/write.js';
import type { VerbRequest } from './verb-request.js';
import { warn } from './verb-request.js';
import type { WriteOptions } from './write-options.js';

/** The write of a request with its checked options. */
export function toWrite(verb: VerbRequest, options: Pick<WriteOptions, 'dryRun' | 'manager' | 'object'>): Write {
  const { services } = verb;
  return {
    resource: verb.resource,
    namespace: verb.namespace,
    name: verb.name,
    subresource: verb.subresource,
    user: verb.user,
    now: formatTime(services.clock()),
    manager: options.manager,
    dryRun: options.dryRun,
    options: options.object,
    services,
    warn: (text) => warn(verb, text),
    admission: {
      get: (group, plural, namespace, name) => {
        const resource = services.resource(group, plural);
        const entry = resource && services.store.get(keyOf(resource, namespace, name));
        return entry && sharedObjectOf(resource, entry);
      },
      authorize: services.authorize,
      warn: (text) => warn(verb, text),
    },
  };
}
