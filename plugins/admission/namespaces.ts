/**
 * Plugins about namespaces. NamespaceLifecycle, the first, keeps new objects out of missing and terminating namespaces
 * and protects some namespaces from deletion.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { forbiddenObject, internalFailure, notFound } from '../../runtime/objects/status.js';
import { refuse } from './define-admission-plugin.js';

/**
 * Finds a namespace that another server stores, and its phase. Rejects if that server does not answer. May return the
 * namespace at once if it is known.
 */
export type FindNamespace = (name: string) => FoundNamespace | undefined | Promise<FoundNamespace | undefined>;

interface FoundNamespace {
  /** As in `Active`. */
  readonly phase: string;
}

/** Creates the plugin. With `find`, another server has the namespaces. */
export function defineNamespaceLifecycle(names: Naming, find?: FindNamespace): AdmissionPlugin {
  const isProtected = protectedNamespaces(names);
  const reviews = names.rename('authorization.platform.io');
  return {
    name: 'NamespaceLifecycle',
    handles(resource, operation) {
      if (isNamespaces(resource)) return operation === 'DELETE';
      if (resource.scope === 'Cluster' || isAccessReview(resource, reviews)) return false;
      return operation === 'CREATE' || operation === 'UPDATE';
    },
    // This check comes before any other, so that a missing namespace is reported first.
    admit: (attributes, context) =>
      isNamespaces(attributes.resource) || attributes.operation === 'DELETE'
        ? undefined
        : find
          ? checkElsewhere(attributes, find)
          : checkNamespace(attributes, context),
    validate({ resource, operation, name }) {
      if (!isNamespaces(resource) || operation !== 'DELETE' || !isProtected.has(name)) return undefined;
      return forbiddenObject('', 'namespaces', name, 'this namespace may not be deleted');
    },
  };
}

const protectedNamespaces = ({ namespaces }: Naming): ReadonlySet<string> =>
  new Set([namespaces.default, namespaces.system, namespaces.public]);

const isNamespaces = ({ group, names }: ResourceModule): boolean => group === '' && names.plural === 'namespaces';

/** Access reviews may ask about a namespace that does not exist yet. */
const isAccessReview = ({ group, names }: ResourceModule, reviews: string): boolean =>
  group === reviews && names.plural === 'localsubjectaccessreviews';

function checkNamespace(attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
  const { namespace, operation } = attributes;
  if (operation !== 'CREATE') return isThere(namespace, context);
  const check = (): Failure | undefined => checkForNew(attributes, context);
  // Nothing may enter a namespace that starts terminating while the create is in flight.
  context.rely({ group: '', resource: 'namespaces', namespace: '', name: namespace }, check);
  return check();
}

/** Answers with a 500 if the other server does not answer, as the reference does. */
async function checkElsewhere(attributes: AdmissionAttributes, find: FindNamespace): Promise<Failure | undefined> {
  const { namespace, operation } = attributes;
  try {
    const found = await find(namespace);
    if (!found) return notFound('', 'namespaces', namespace);
    return operation === 'CREATE' && found.phase === 'Terminating' ? terminating(attributes) : undefined;
  } catch (error) {
    return internalFailure(`namespace ${namespace}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isThere = (namespace: string, context: AdmissionContext): Failure | undefined =>
  context.get('', 'namespaces', '', namespace) ? undefined : notFound('', 'namespaces', namespace);

/** Returns why nothing new can be created in a namespace. */
function checkForNew(attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
  const { namespace } = attributes;
  const found = context.get('', 'namespaces', '', namespace);
  if (!found) return notFound('', 'namespaces', namespace);
  return stringAt(objectAt(found, 'status'), 'phase') === 'Terminating' ? terminating(attributes) : undefined;
}

function terminating(attributes: AdmissionAttributes): Failure {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  return refuse(attributes, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

export function defineNamespaceAutoProvision(): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: ({ scope }, operation) => scope === 'Namespaced' && operation === 'CREATE',
    admit(attributes, context) {
      // A dry run fails instead of creating a namespace.
      if (attributes.dryRun || context.get('', 'namespaces', '', attributes.namespace)) return undefined;
      return provide(attributes, context);
    },
  };
}

async function provide(attributes: AdmissionAttributes, context: AdmissionContext): Promise<Failure | undefined> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: attributes.namespace } };
  const made = await context.create?.('', 'namespaces', namespace);
  // Another request may have created it since.
  if (!made || made.ok || made.failure.reason === 'AlreadyExists') return undefined;
  return refuse(attributes, made.failure.message);
}

export function defineNamespaceExists(): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: ({ scope }, operation) => scope === 'Namespaced' && operation !== 'CONNECT',
    validate: ({ namespace }, context) =>
      context.get('', 'namespaces', '', namespace) ? undefined : notFound('', 'namespaces', namespace),
  };
}
