/** The subresources of a version: `status`, `scale`, and in native definitions any others. */
import type {
  JsonObject,
  KindReference,
  QueryParameter,
  ScalePaths,
  Subresource,
  Verb,
} from '../../runtime/contract/index.js';
import { boolean, compact, get, isObject, type Raw, string, strings } from '../../runtime/schema/reading/read.js';
import { readVerbs } from './verbs.js';

const READ_AND_WRITE: readonly Verb[] = ['get', 'patch', 'update'];

/** Subresources of a CustomResourceDefinition: a write to one leaves metadata as it was. */
export function readCustomSubresources(raw: Raw): readonly Subresource[] {
  const subresources: Subresource[] = [];
  if (isObject(get(raw, 'status'))) {
    subresources.push({ name: 'status', verbs: READ_AND_WRITE, writes: ['status'], writesMetadata: false });
  }
  const scale = get(raw, 'scale');
  if (isObject(scale)) subresources.push(scaleOf(scale));
  return subresources;
}

/** Subresources of a native definition, in the order of the text. */
export function readNativeSubresources(raw: Raw): readonly Subresource[] {
  if (!isObject(raw)) return [];
  return Object.entries(raw).map(([name, each]) => readNative(name, isObject(each) ? each : {}));
}

function readNative(name: string, raw: JsonObject): Subresource {
  const usual = name === 'scale' ? scaleOf(raw) : name === 'status' ? STATUS : { ...OTHER, name };
  return compact<Subresource>({
    ...usual,
    verbs: raw.verbs === undefined ? usual.verbs : readVerbs(raw.verbs),
    kind: readKindReference(raw.kind),
    connects: boolean(raw.connects) || undefined,
    proxy: boolean(raw.proxy) || undefined,
    query: isObject(raw.query) ? Object.entries(raw.query).map(([key, each]) => readParameter(key, each)) : undefined,
    writes: readPaths(raw.writes) ?? usual.writes,
    writesMetadata: boolean(raw.writesMetadata) ?? usual.writesMetadata,
    ...(boolean(raw.shared) ? { shared: true } : {}),
    ...(boolean(raw.atCreate) ? { atCreate: true } : {}),
    untracked: readPaths(raw.untracked),
  });
}

function readParameter(name: string, raw: Raw): QueryParameter {
  const type = string(get(raw, 'type'));
  const known = type === 'boolean' || type === 'integer' ? type : 'string';
  return { name, type: known, description: string(get(raw, 'description')) ?? '' };
}

/** The kind of a subresource that has one of its own. */
function readKindReference(raw: Raw): KindReference | undefined {
  const kind = string(get(raw, 'kind'));
  if (kind === undefined) return undefined;
  return { group: string(get(raw, 'group')) ?? '', version: string(get(raw, 'version')) ?? '', kind };
}

/** A list of paths such as `status.conditions`, where one is written. */
export function readPaths(raw: Raw): readonly string[] | undefined {
  return Array.isArray(raw) ? strings(raw) : undefined;
}

const STATUS: Subresource = { name: 'status', verbs: READ_AND_WRITE, writes: ['status'], writesMetadata: true };
const OTHER: Subresource = { name: '', verbs: READ_AND_WRITE, writes: [], writesMetadata: false };

function scaleOf(raw: JsonObject): Subresource {
  const scale = compact<ScalePaths>({
    specReplicasPath: string(raw.specReplicasPath) ?? '',
    statusReplicasPath: string(raw.statusReplicasPath) ?? '',
    labelSelectorPath: string(raw.labelSelectorPath),
  });
  const replicas = scale.specReplicasPath.replace(/^\./, '');
  return { name: 'scale', verbs: READ_AND_WRITE, writes: [replicas], writesMetadata: false, scale };
}
