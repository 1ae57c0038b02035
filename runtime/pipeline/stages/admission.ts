/** The two admission stages: plugins that may change a write, later plugins that may only refuse it. */
import type {
  AdmissionAttributes,
  AdmissionDecision,
  ApiObject,
  Failure,
  JsonObject,
  Operation,
} from '../../contract/index.js';
import { subresourceName, type Write } from '../write.js';

/** The objects of a write as plugins see them. */
export interface AdmittedObjects {
  readonly object?: ApiObject;
  readonly oldObject?: ApiObject;
}

/** Runs the mutating stage; plugins change `object` in place. Resolves to the first refusal. */
export function admit(write: Write, operation: Operation, objects: AdmittedObjects): Promise<Failure | undefined> {
  return runPlugins(write, operation, objects, 'admit');
}

/** Runs the validating stage. Resolves to the first refusal. */
export function validateAdmission(
  write: Write,
  operation: Operation,
  objects: AdmittedObjects,
): Promise<Failure | undefined> {
  return runPlugins(write, operation, objects, 'validate');
}

async function runPlugins(
  write: Write,
  operation: Operation,
  objects: AdmittedObjects,
  step: AdmissionDecision['step'],
): Promise<Failure | undefined> {
  const plugins = write.resource.admission(operation, subresourceName(write));
  if (plugins.length === 0) return undefined;
  const attributes = attributesOf(write, operation, objects);
  const { observer } = write.services;
  const began = performance.now();
  let refused: Failure | undefined;
  let before = began;
  for (const plugin of plugins) {
    if (!plugin[step]) continue;
    const answer = plugin[step](attributes, write.admission);
    // Most plugins answer at once; a turn of waiting for each would cost more than they do.
    refused = answer instanceof Promise ? await answer : answer;
    const now = performance.now();
    const rejected = refused !== undefined;
    observer?.admitted({ plugin: plugin.name, step, operation, rejected }, (now - before) / 1000);
    before = now;
    if (rejected) break;
  }
  observer?.admitted({ step, operation, rejected: refused !== undefined }, (before - began) / 1000);
  return refused;
}

function attributesOf(write: Write, operation: Operation, { object, oldObject }: AdmittedObjects): AdmissionAttributes {
  // Assigned one by one: members behind a spread are slow to come by.
  const attributes: { -readonly [K in keyof AdmissionAttributes]: AdmissionAttributes[K] } = {
    operation,
    resource: write.resource.module,
    subresource: subresourceName(write),
    namespace: write.namespace,
    name: write.ofCollection ? '' : write.name || (object?.metadata.name ?? ''),
    options: optionsOf(write.options, operation),
    user: write.user,
    dryRun: write.dryRun,
  };
  if (write.name !== '') attributes.pathName = write.name;
  if (object) attributes.object = object;
  if (oldObject) attributes.oldObject = oldObject;
  return attributes;
}

const optionsKinds: Readonly<Partial<Record<Operation, string>>> = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions' };

/** Plugins see the options of the operation that a patch or a replace turns out to be: a create or an update. */
function optionsOf(options: JsonObject, operation: Operation): JsonObject {
  const kind = optionsKinds[operation];
  if (kind === undefined || options.kind === kind) return options;
  const { force: _, ...rest } = options;
  return { ...rest, kind };
}
