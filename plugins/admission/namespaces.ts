/** NamespaceLifecycle: objects live in namespaces that exist, none come into those that end, and some never end. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { forbiddenObject, notFound } from '../../runtime/objects/status.js';
import { refuse } from './define-admission-plugin.js';

export function defineNamespaceLifecycle(names: Naming): AdmissionPlugin {
  const isProtected = protectedNamespaces(names);
  const reviews = names.rename('authorization.platform.io');
  return {
    name: 'NamespaceLifecycle',
    handles(resource, operation) {
      if (isNamespaces(resource)) return operation === 'DELETE';
      if (resource.scope === 'Cluster' || isAccessReview(resource, reviews)) return false;
      return operation === 'CREATE' || operation === 'UPDATE';
    },
    // Before anything else looks at the object, so that its mistakes are not told of a namespace that is not there.
    admit: (attributes, context) =>
      isNamespaces(attributes.resource) || attributes.operation === 'DELETE'
        ? undefined
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

/** Questions about rights in a namespace may be asked before it is there. */
const isAccessReview = ({ group, names }: ResourceModule, reviews: string): boolean =>
  group === reviews && names.plural === 'localsubjectaccessreviews';

function checkNamespace(attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
  const { namespace, operation } = attributes;
  if (operation !== 'CREATE') return isThere(namespace, context);
  const check = (): Failure | undefined => checkForNew(attributes, context);
  // Nothing may come into a namespace that ends while the create is under way, and be left behind there.
  context.rely({ group: '', resource: 'namespaces', namespace: '', name: namespace }, check);
  return check();
}

const isThere = (namespace: string, context: AdmissionContext): Failure | undefined =>
  context.get('', 'namespaces', '', namespace) ? undefined : notFound('', 'namespaces', namespace);

/** Why nothing new can come into a namespace. */
function checkForNew(attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
  const { namespace } = attributes;
  const found = context.get('', 'namespaces', '', namespace);
  if (!found) return notFound('', 'namespaces', namespace);
  if (stringAt(objectAt(found, 'status'), 'phase') !== 'Terminating') return undefined;
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
      // A dry run fails, rather than leave a namespace behind.
      if (attributes.dryRun || context.get('', 'namespaces', '', attributes.namespace)) return undefined;
      return provide(attributes, context);
    },
  };
}

async function provide(attributes: AdmissionAttributes, context: AdmissionContext): Promise<Failure | undefined> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: attributes.namespace } };
  const made = await context.create?.('', 'namespaces', namespace);
  // Somebody else may have made it since.
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
