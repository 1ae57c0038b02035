/** Turns a request to a writing verb into a write for the pipeline. */
import { formatTime } from '../objects/time/time.js';
import { readObject } from '../pipeline/object-access.js';
import { addPrecondition } from '../pipeline/preconditions.js';
import { remoteVersionsOf } from '../pipeline/versions/remote-ownership.js';
import type { Preconditions, Write } from '../pipeline/write.js';
import type { VerbRequest } from './verb-request.js';
import { warn } from './verb-request.js';
import type { WriteOptions } from './write-options.js';

/** The write of a request with its checked options. */
export function toWrite(verb: VerbRequest, options: Pick<WriteOptions, 'dryRun' | 'manager' | 'object'>): Write {
  const { services } = verb;
  const preconditions: Preconditions = new Map();
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
    preconditions,
    remoteVersions: remoteVersionsOf(verb.resource),
    ...(verb.superseded ? { superseded: verb.superseded } : {}),
    admission: {
      get: (group, resource, namespace, name) => readObject(services, { group, resource, namespace, name }),
      rely: (place, check) => addPrecondition(services, preconditions, place, check),
      authorize: services.authorize,
      decide: (attributes) => services.authorizer.decide(attributes),
      convert: services.convert,
      warn: (text) => warn(verb, text),
      annotate: (key, value) => services.annotate?.(verb.request, key, value),
    },
  };
}
