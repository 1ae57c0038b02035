/** From ids of definitions to names of shared types, the way back from what OpenAPI documents are generated with. */
import { withoutLeading, withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import { distinctNames } from './distinct-names.js';

/** Where a shared type is to be written. */
export interface LibraryType {
  /** As in `apps/v1`. */
  readonly library: string;
  /** As in `DeploymentSpec`. */
  readonly name: string;
}

/** Types of the meta library that live in packages of their own. */
const META_PACKAGES = /^io\.[^.]+\.apimachinery\.pkg\.(?:apis\.meta\.v1|api\.resource|util\.intstr|runtime|version)$/;

/** Packages of built-in groups: `io.k8s.api.apps.v1`, `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1`. */
const BUILT_IN = /^io\.(?:k8s|platform)\.(?:api|[a-z-]+\.pkg\.apis)\.([a-z0-9]+)\.(v[a-z0-9]+)$/;

/** Any other package that ends in a version: `com.example.stable.v1`. */
const REVERSED = /^([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)\.(v\d[a-z0-9]*)$/;

/** The type that a definition becomes. Different ids can get the same one, which `namesOf` takes apart. */
export function typeOf(id: string): LibraryType {
  const dot = id.lastIndexOf('.');
  const name = id.slice(dot + 1).replaceAll(/[^A-Za-z0-9]/g, '');
  return {
    library: libraryOf(dot < 0 ? '' : id.slice(0, dot)),
    name: /^[A-Za-z]/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : `Type${name}`,
  };
}

function libraryOf(home: string): string {
  if (META_PACKAGES.test(home)) return 'meta/v1';
  const [, pack, version] = BUILT_IN.exec(home) ?? [];
  if (pack !== undefined && version !== undefined) return `${pack}/${version}`;
  const [, domain, otherVersion] = REVERSED.exec(home) ?? [];
  const library = domain === undefined ? home : `${domain.split('.').reverse().join('.')}/${otherVersion}`;
  const parts = library
    .toLowerCase()
    .replaceAll(/[^a-z0-9./-]+/g, '-')
    .slice(0, 100)
    .split('/')
    .map((part) => withoutTrailing(withoutLeading(part, '.-'), '.-'));
  return parts.filter((part) => part !== '').join('/') || 'types';
}

/** A type for each id, no two the same: of ids that would be one, the later get a number. */
export function namesOf(ids: Iterable<string>): ReadonlyMap<string, LibraryType> {
  const distinct = distinctNames();
  const names = new Map<string, LibraryType>();
  for (const id of ids) {
    const { library, name } = typeOf(id);
    const own = distinct(`${library}#/${name}`);
    names.set(id, { library, name: own.slice(library.length + 2) });
  }
  return names;
}
