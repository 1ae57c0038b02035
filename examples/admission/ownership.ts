/** Ownership: orders carry the name of whoever made them, and nobody else changes them. */
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

/** Annotation with the name of the owner; names of users may hold characters that labels may not. */
const ownerAnnotation = 'shop.example.com/owner';

export function defineOwnership(): AdmissionPlugin {
  let admins = '';
  return defineAdmissionPlugin({
    name: 'Ownership',
    configuration: {
      apiVersions: ['shop.example.com/v1'],
      kind: 'OwnershipConfiguration',
      // The group whose members may change everything.
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

/** The owner is never what the writer says. */
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
