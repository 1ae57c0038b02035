/** Ownership: an order has the name of its owner, and nobody else changes it. */
import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  type ApiObject,
  configurationSchema,
  defineAdmissionPlugin,
  type Failure,
  forbiddenObject,
} from 'kindforge/contract';

const { fields, text } = configurationSchema;

/** The annotation with the name of the owner. Names of users may have characters that labels may not have. */
const ownerAnnotation = 'shop.example.com/owner';

export function defineOwnership(): AdmissionPlugin {
  let admins = '';
  return defineAdmissionPlugin({
    name: 'Ownership',
    configuration: {
      apiVersions: ['shop.example.com/v1'],
      kind: 'OwnershipConfiguration',
      // The members of this group may change everything.
      schema: fields({ admins: text }),
      byDefault: { admins: 'shop:admins' },
    },
    start(_host, configuration) {
      admins = configuration.admins;
    },
    handles: (resource, operation, subresource) =>
      resource.group === 'shop.example.com' && subresource === '' && operation !== 'CONNECT',
    admit({ object, oldObject, user }) {
      if (object) setOwner(object, oldObject ? ownerOf(oldObject) : user.name);
      return undefined;
    },
    validate: (attributes) => (mayChange(attributes, admins) ? undefined : refuse(attributes)),
  });
}

const ownerOf = (object: ApiObject): string | undefined => object.metadata.annotations?.[ownerAnnotation];

/** Sets the owner. Replaces the owner that the writer has put into the object. */
function setOwner({ metadata }: ApiObject, owner: string | undefined): void {
  const { [ownerAnnotation]: _, ...others } = metadata.annotations ?? {};
  if (owner !== undefined) metadata.annotations = { ...others, [ownerAnnotation]: owner };
  else if (metadata.annotations) metadata.annotations = others;
}

function mayChange({ oldObject, user }: AdmissionAttributes, admins: string): boolean {
  const owner = oldObject && ownerOf(oldObject);
  return owner === undefined || owner === user.name || user.groups.includes(admins);
}

function refuse({ resource, name, oldObject }: AdmissionAttributes): Failure {
  const owner = (oldObject && ownerOf(oldObject)) ?? 'somebody else';
  return forbiddenObject(resource.group, resource.names.plural, name, `it belongs to ${owner}`);
}
