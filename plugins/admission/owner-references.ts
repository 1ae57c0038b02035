/**
 * OwnerReferencesPermissionEnforcement: users who change owners need the right to delete the object, and users who
 * block the deletion of an owner need the right to its finalizers.
 */
import type {
  AccessDecision,
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  AuthorizationAttributes,
  Failure,
  OwnerReference,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { quote } from '../../runtime/objects/printing.js';
import { refuse } from './define-admission-plugin.js';

type Kinds = AdmissionHost['resources']['ofKind'];

export function defineOwnerReferencesPermissionEnforcement(): AdmissionPlugin {
  let ofKind: Kinds = () => undefined;
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    start: ({ resources }) => {
      ofKind = resources.ofKind;
    },
    handles: (resource, operation, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') && !isPodStatus(resource, subresource),
    async validate(attributes, context) {
      const [owners, before] = [ownersOf(attributes.object), ownersOf(attributes.oldObject)];
      if (areSame(owners, before)) return undefined;
      return (
        (await checkMayDelete(attributes, context)) ??
        checkBlocks(attributes, newBlocks(owners, before), ofKind, context)
      );
    },
  };
}

const isPodStatus = ({ group, names }: ResourceModule, subresource: string): boolean =>
  group === '' && names.plural === 'pods' && subresource === 'status';

const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? [];

const areSame = (owners: readonly OwnerReference[], before: readonly OwnerReference[]): boolean =>
  owners.length === before.length && owners.every((owner, i) => equal(owner, before[i]));

/**
 * Checks the right to delete. Users who change the owners of an object can cause its deletion; users who create it
 * cannot.
 */
async function checkMayDelete(
  attributes: AdmissionAttributes,
  { decide }: AdmissionContext,
): Promise<Failure | undefined> {
  const { operation, user, resource, subresource, namespace, name } = attributes;
  if (operation === 'CREATE') return undefined;
  const { group, version } = resource;
  const place = { group, version, resource: resource.names.plural, subresource, namespace, name };
  const decided = await decide({ user, verb: 'delete', ...place });
  return refuseUnless(decided, attributes, "cannot set an ownerRef on a resource you can't delete");
}

/** Returns the owners that the object newly keeps from being deleted. */
function newBlocks(owners: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const blocked = new Set(before.filter((owner) => owner.blockOwnerDeletion === true).map(({ uid }) => uid));
  return owners.filter((owner) => owner.blockOwnerDeletion === true && !blocked.has(owner.uid));
}

/** Checks the right to write the finalizers of owners that the object keeps from being deleted. */
async function checkBlocks(
  attributes: AdmissionAttributes,
  blocks: readonly OwnerReference[],
  ofKind: Kinds,
  { decide }: AdmissionContext,
): Promise<Failure | undefined> {
  if (blocks.length === 0) return undefined;
  const { user, namespace } = attributes;
  const right = { user, verb: 'update', subresource: 'finalizers' };
  // Users with the right to all resources may also name owners of kinds that are not served.
  const anywhere = await decide({ ...right, group: '*', version: '*', resource: '*', namespace: '', name: '*' });
  if (anywhere.decision === 'allow') return undefined;
  for (const { apiVersion, kind, name } of blocks) {
    const owner = ofKind(apiVersion, kind);
    if (!owner) return refuse(attributes, unknownKind(apiVersion, kind));
    const decided = await decide({ ...right, ...placeOf(owner), name, namespace: ownerNamespace(owner, namespace) });
    const why = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    const refused = refuseUnless(decided, attributes, why);
    if (refused) return refused;
  }
  return undefined;
}

const placeOf = ({ group, version, names }: ResourceModule): Omit<AuthorizationAttributes, 'user' | 'verb'> => ({
  group,
  version,
  resource: names.plural,
});

/** Returns the owner's namespace: the namespace of the object, or none. */
const ownerNamespace = ({ scope }: ResourceModule, namespace: string): string =>
  scope === 'Namespaced' ? namespace : '';

function unknownKind(apiVersion: string, kind: string): string {
  const what = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
  const why = `no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`;
  return `cannot set blockOwnerDeletion in this case because ${what}: ${why}`;
}

/** Refuses unless a decision allows. The message ends with the authorizer's reason and error. */
function refuseUnless(
  { decision, reason = '', evaluationError = '<nil>' }: AccessDecision,
  attributes: AdmissionAttributes,
  why: string,
): Failure | undefined {
  return decision === 'allow' ? undefined : refuse(attributes, `${why}: ${reason}, ${evaluationError}`);
}
