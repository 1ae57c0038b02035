/** Names in documents: definition ids, operation ids and tags, in the style that Kubernetes clients know. */

/** The differences between `platform` and `kubernetes` naming. */
export interface OpenApiNaming {
  /** The reversed domain before the ids of built-in definitions. */
  readonly prefix: string;
  /** The end of built-in groups that have a domain, as in `storage.k8s.io`. Operation ids leave it out. */
  readonly groupSuffix: string;
  readonly protobufMediaType: string;
}

export const platformNaming: OpenApiNaming = {
  prefix: 'io.platform',
  groupSuffix: '.platform.io',
  protobufMediaType: 'application/vnd.platform.protobuf',
};

export const kubernetesNaming: OpenApiNaming = {
  prefix: 'io.k8s',
  groupSuffix: '.k8s.io',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
};

/** Packages of built-in groups that differ from the group's first label. */
const packages: ReadonlyMap<string, string> = new Map([
  ['internal.apiserver', 'api.apiserverinternal'],
  ['apiextensions', 'apiextensions-apiserver.pkg.apis.apiextensions'],
  ['apiregistration', 'kube-aggregator.pkg.apis.apiregistration'],
]);

/** Types of the meta library that have packages of their own. */
const metaPackages: ReadonlyMap<string, string> = new Map([
  ['Quantity', 'apimachinery.pkg.api.resource'],
  ['IntOrString', 'apimachinery.pkg.util.intstr'],
  ['RawExtension', 'apimachinery.pkg.runtime'],
  ['Info', 'apimachinery.pkg.version'],
]);

/** The name of a shared type in two parts: its library (`meta/v1`) and its own name (`Condition`). */
export interface TypeName {
  /** Empty if the name has no library. */
  readonly library: string;
  readonly name: string;
}

/** Splits `meta/v1#/Condition` or `meta/v1/Condition`. */
export function parseTypeName(text: string): TypeName {
  const hash = text.indexOf('#/');
  if (hash >= 0) return { library: text.slice(0, hash), name: text.slice(hash + 2) };
  const slash = text.lastIndexOf('/');
  return { library: text.slice(0, Math.max(slash, 0)), name: text.slice(slash + 1) };
}

/** Returns the id of a shared type's definition: `io.k8s.apimachinery.pkg.apis.meta.v1.Condition`. */
export function typeId(type: TypeName, naming: OpenApiNaming): string {
  if (type.library === 'meta/v1') {
    const own = metaPackages.get(type.name);
    return `${naming.prefix}.${own ?? 'apimachinery.pkg.apis.meta.v1'}.${type.name}`;
  }
  const parts = type.library.split('/');
  const [group, version] = parts;
  if (parts.length !== 2 || group === undefined || version === undefined) {
    return [...parts, type.name].filter((part) => part !== '').join('.');
  }
  // Libraries have the same names in both namings, so this removes the ending of the platform's groups.
  return `${packageOf(trimSuffix(group, platformNaming.groupSuffix), naming)}.${version}.${type.name}`;
}

/**
 * Returns the id of a kind. Built-in groups have packages. All other groups are reversed domains
 * (`io.cert-manager.v1.Certificate`).
 */
export function kindId(
  resource: { readonly group: string; readonly version: string; readonly decoding: 'typed' | 'structural' },
  kind: string,
  naming: OpenApiNaming,
): string {
  const { group, version } = resource;
  const home = resource.decoding === 'typed' ? packageOf(group, naming) : reversed(group);
  return `${home}.${version}.${kind}`;
}

function packageOf(group: string, naming: OpenApiNaming): string {
  if (group === '') return `${naming.prefix}.api.core`;
  if (isForeign(group, naming)) return reversed(group);
  const trimmed = trimSuffix(group, naming.groupSuffix);
  return `${naming.prefix}.${packages.get(trimmed) ?? `api.${trimmed.split('.')[0]}`}`;
}

/** Reports whether a group's name is a domain other than the built-in one. */
export function isForeign(group: string, naming: OpenApiNaming): boolean {
  return group.includes('.') && !group.endsWith(naming.groupSuffix);
}

function reversed(group: string): string {
  return group.split('.').reverse().join('.');
}

function trimSuffix(group: string, suffix: string): string {
  return group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
}

/** Returns the part of operation ids for a group: `Storage`, `FlowcontrolApiserver`, `Core`, `CertManagerIo`. */
export function operationGroup(group: string, naming: OpenApiNaming): string {
  return groupWords(group, naming).map(capitalize).join('');
}

/** Returns the tag of a group's operations: `storage`, `flowcontrolApiserver`, `certManagerIo`. */
export function groupTag(group: string, naming: OpenApiNaming): string {
  const [first = '', ...rest] = groupWords(group, naming);
  return first + rest.map(capitalize).join('');
}

function groupWords(group: string, naming: OpenApiNaming): string[] {
  if (group === '') return ['core'];
  return trimSuffix(group, naming.groupSuffix)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** Upper-cases the first letter. */
export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
